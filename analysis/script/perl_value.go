package script

import "strings"

// expression reads one with the operators that bind least: or, and, not.
func (p *perlReader) expression() *tree {
	if !p.enter() {
		return nothing
	}
	defer p.leave()
	start := p.at
	for p.blank(); p.hasWord("not"); p.blank() {
		p.at += len("not")
	}
	t := p.list()
	for {
		p.blank()
		switch {
		case p.hasWord("or") || p.hasWord("and"):
			p.word()
		case p.hasWord("xor"):
			p.word()
		default:
			return t
		}
		p.blank()
		for p.hasWord("not") {
			p.word()
			p.blank()
		}
		t = p.node(treeBranch, start, t, p.list())
	}
}

// list reads values with commas between them. One alone is itself.
func (p *perlReader) list() *tree {
	start := p.at
	first := p.value()
	p.blank()
	if p.peek(0) != ',' && !p.has("=>") {
		return first
	}
	t := p.node(treeList, start, first)
	for {
		p.blank()
		if !p.eat(",") && !p.eat("=>") {
			break
		}
		p.blank()
		if p.ends() {
			break
		}
		if p.peek(0) == ',' || p.has("=>") {
			continue
		}
		one := p.value()
		if one.op == treeList && one.flags&treeMade == 0 {
			t.kids = append(t.kids, one.kids...) // lists in lists are flat
			continue
		}
		t.kids = append(t.kids, one)
	}
	if first.op == treeList && first.flags&treeMade == 0 {
		t.kids = append(first.kids[:len(first.kids):len(first.kids)], t.kids[1:]...)
	}
	t.source = p.since(start)
	return t
}

// ends reports whether nothing more of a list follows.
func (p *perlReader) ends() bool {
	c := p.peek(0)
	return c == 0 || c == ';' || c == ')' || c == '}' || c == ']' || c == ':' && p.peek(1) != ':' || c == '?' ||
		c == '=' && p.peek(1) != '>' || c == '|' || c == '*' || p.has("&&") || c == '.' && (p.peek(1) < '0' || p.peek(1) > '9') || p.modifier() || p.hasWord("or") || p.hasWord("and") || p.hasWord("xor") || p.hasWord("x") || p.hasWord("eq") || p.hasWord("ne") || p.hasWord("cmp")
}

// value reads one value or an assignment.
func (p *perlReader) value() *tree {
	if !p.enter() {
		return nothing
	}
	defer p.leave()
	p.blank()
	start := p.at
	t := p.ternary()
	p.blank()
	if p.peek(0) == '=' && p.peek(1) != '=' && p.peek(1) != '~' && p.peek(1) != '>' {
		p.at++
		return p.assigned(start, t, p.value())
	}
	for _, operator := range []string{".=", "||=", "//=", "&&=", "**=", "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "x=", "&=", "|=", "^="} {
		if !p.has(operator) || operator == "x=" && p.peek(2) == '=' {
			continue
		}
		p.at += len(operator)
		value := p.value()
		switch operator {
		case ".=":
			return p.node(treeExtend, start, t, value)
		case "||=", "//=", "&&=":
			return p.node(treeAssign, start, t, p.node(treeChoice, start, t, value))
		}
		return p.node(treeAssign, start, t, p.node(treeOther, start, value))
	}
	return t
}

// assigned makes an assignment. What is assigned to an array, hash or list is
// a list.
func (p *perlReader) assigned(start int, target, value *tree) *tree {
	op, flags := treeAssign, treeFlag(0)
	if target.op == treeDeclare {
		op, flags, target = treeDeclare, target.flags, target.kids[0]
	}
	if target.op == treeSpread {
		target = target.kids[0]
	}
	plural := target.op == treeList || target.op == treeName && (target.text[0] == '@' || target.text[0] == '%')
	switch {
	case !plural:
	case target.op == treeName && target.text[0] == '%' && value.op == treeList:
		value = p.pairs(start, value)
	case value.op == treeSpread:
		value = value.kids[0]
	case value.op == treeText || value.op == treeJoin || value.op == treePlain || value.op == treeName || value.op == treeIndex:
		value = p.node(treeList, start, value)
	}
	if target.op == treeList {
		kids := make([]*tree, len(target.kids))
		for i, kid := range target.kids {
			if kids[i] = kid; kid != nil && kid.op == treeSpread && kid.kids[0].text != "" && kid.kids[0].text[0] == '%' {
				kids[i] = nil
			}
		}
		target = p.node(treeList, start, kids...)
	}
	t := p.node(op, start, target, value)
	t.flags = flags
	return t
}

// pairs makes a map of a list of keys and values.
func (p *perlReader) pairs(start int, list *tree) *tree {
	t := p.node(treeMap, start)
	if len(list.kids)%2 == 0 {
		t.kids = list.kids
	}
	for _, kid := range list.kids {
		if kid.op == treeSpread {
			return p.node(treeOther, start, list.kids...)
		}
	}
	return t
}

func (p *perlReader) ternary() *tree {
	start := p.at
	t := p.binary(0)
	if p.blank(); p.peek(0) != '?' {
		return t
	}
	all := p.node(treeBranch, start, t)
	for p.eat("?") {
		all.kids = append(all.kids, p.value())
		p.eat(":")
		p.blank()
		all.kids = append(all.kids, p.binary(0))
		p.blank()
	}
	return all
}

// perlLevels are the operators between two values, those that bind least first.
var perlLevels = [...][]string{
	{"||", "//"},
	{"&&"},
	{"<=>", "==", "!=", "=~", "!~", "<=", ">=", "<<", ">>", "<", ">", "...", "..", "|", "&", "^", "eq", "ne", "lt", "gt", "le", "ge", "cmp", "isa"},
	{".", "+", "-"},
	{"**", "*", "/", "%", "x"},
}

func (p *perlReader) binary(level int) *tree {
	if level == len(perlLevels) {
		return p.unary()
	}
	p.blank()
	start := p.at
	first := p.binary(level + 1)
	operator := p.operator(level)
	if operator == "" {
		return first
	}
	op := [...]treeOp{treeChoice, treeBranch, treeOther, treeJoin, treeOther}[level]
	t := p.node(op, start, first)
	for ; operator != ""; operator = p.operator(level) {
		p.at += len(operator)
		if operator == "+" || operator == "-" {
			t.op = treeOther
		}
		before := p.at
		t.kids = append(t.kids, p.binary(level+1))
		if p.at == before {
			break
		}
	}
	t.source = p.since(start)
	return t
}

// operator returns the operator of a level that is next, if there is one.
func (p *perlReader) operator(level int) string {
	p.blank()
	c := p.peek(0)
	for _, operator := range perlLevels[level] {
		if operator[0] != c || !p.has(operator) {
			continue
		}
		after := p.peek(len(operator))
		switch {
		case isNameByte(c) && (isNameByte(after) && operator != "x" || p.fat(len(operator)) || operator == "x" && (isNameStart(after) || after == '=' && p.peek(2) != '=')):
			continue
		case after == '=' && operator != "<=" && operator != "==" && operator != ">=" && !isNameByte(c) && p.peek(len(operator)+1) != '=' && p.peek(len(operator)+1) != '~' && operator != "<" && operator != ">" && operator != "!=" && operator != "=~" && operator != ".." && operator != "...":
			return "" // an assignment
		case operator == "." && after == '.', operator == "|" && after == '|', operator == "&" && after == '&', operator == "*" && after == '*':
			continue
		}
		return operator
	}
	return ""
}

// fat reports whether "=>" follows after n bytes, which makes a text of a
// word.
func (p *perlReader) fat(n int) bool {
	for i := p.at + n; i < min(p.end, p.at+n+16); i++ {
		switch p.source[i] {
		case ' ', '\t', '\n':
		case '=':
			return i+1 < p.end && p.source[i+1] == '>'
		default:
			return false
		}
	}
	return false
}

// unary reads a value with the operators before it.
func (p *perlReader) unary() *tree {
	p.blank()
	start := p.at
	changed, reference := false, false
	for {
		p.blank()
		c := p.peek(0)
		switch {
		case c == '\\':
			reference = true
			p.at++
			continue
		case c == '-' && isNameStart(p.peek(1)) && !isNameByte(p.peek(2)) && !(p.peek(2) == '=' && p.peek(3) == '>'): // -e FILE
			p.at += 2
			changed = true
			continue
		case c == '!' || c == '~' || c == '+' && p.peek(1) != '+' || c == '-':
			changed = changed || c != '+'
			p.at++
			continue
		case p.has("++"):
			p.at += 2
			continue
		}
		break
	}
	begin := p.at
	t := p.postfix(begin, p.primary())
	switch {
	case reference && t.op == treeSpread:
		return t.kids[0]
	case reference && (t.op == treeDeclare || t.op == treeName && strings.HasPrefix(t.text, "$")):
		return p.node(treeOther, start, t)
	case changed && t.op == treePlain && p.source[start] == '-':
		t.text = "-" + t.text
	case changed && t.op == treeText && p.source[start] == '-': // -bareword
		t.text = "-" + t.text
	case changed:
		return p.node(treeOther, start, t)
	}
	return t
}
