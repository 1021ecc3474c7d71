package shell

func isFind(name string) bool {
	return name == "find" || name == "gfind"
}

// findGrammar is that of find, which reads its arguments as an expression.
var findGrammar = grammar{whole: true, closed: true, exact: true}

// findItems returns find's start points as operands, and the words of its
// expression as options. The value of one is its first word.
func findItems(args []Word) []item {
	parts := findParts(args)
	items := make([]item, 0, len(parts))
	for _, part := range parts {
		switch part.kind {
		case findStart:
			items = append(items, item{index: part.start})
		case findOperator:
		default:
			o := item{index: part.start, source: part.start, name: part.name, kind: alone, grammar: &findGrammar}
			if part.end > part.start+1 {
				o.kind, o.value, o.valued, o.source = required, args[part.start+1].Text, true, part.start+1
			}
			items = append(items, o)
		}
	}
	return items
}
