package script

import "strings"

// join puts texts together.
func (f *flow) join(t *tree) facts {
	if len(t.kids) == 0 {
		return textFact("")
	}
	parts := make([]facts, len(t.kids))
	numbers := len(parts) > 1
	for i, kid := range t.kids {
		parts[i] = f.settle(f.value(kid), kid)
		numbers = numbers && len(parts[i]) == 1 && parts[i][0].kind == factPlain
	}
	switch {
	case numbers:
		return f.unknown(t) // a sum
	case len(parts[0]) == 1 && parts[0][0].kind == factMap && parts[0][0].text != "":
		// An object of the library's with an operator of its own.
		return f.language.call(f, &site{tree: t, name: "+", self: parts[0], args: parts[1:]})
	}
	return f.concat(parts, "")
}

// concat returns the texts that parts make with separators between them: one for each
// combination of their values, or where those are too many one in which they aren't known.
func (f *flow) concat(parts []facts, separator string) facts {
	combinations := 1
	for _, part := range parts {
		if len(part) == 0 {
			return nil
		}
		if combinations *= len(part); combinations > maxFacts {
			break
		}
	}
	if combinations > maxFacts {
		for i, part := range parts {
			if len(part) > 1 {
				parts[i] = unknownFact("several")
			}
		}
		combinations = 1
	}
	var all facts
	for n := range combinations {
		one := fact{kind: factText}
		var b strings.Builder
		for i, part := range parts {
			value := &part[n%len(part)]
			text, known := value.written()
			n /= len(part)
			if i > 0 {
				b.WriteString(separator)
			}
			if !f.spend(len(text)/16+1) || b.Len()+len(text) > maxProgram {
				return unknownFact("long")
			}
			b.WriteString(text)
			if !known {
				one.dynamic = true
				one.parts = append(one.parts, value.unknownParts(text)...)
				f.spend(len(value.parts))
			}
		}
		one.text = b.String()
		if len(parts) == 1 && justUnknown(parts[0]) {
			one = parts[0][0]
		}
		all = f.union(all, facts{one})
	}
	return all
}

// justUnknown reports whether a text would be just something unknown.
func justUnknown(part facts) bool {
	return len(part) == 1 && part[0].kind != factText && part[0].kind != factPlain && part[0].kind != factList
}
