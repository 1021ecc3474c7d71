package script

import "strings"

// keyword reads a statement that begins with a word, or returns nil.
func (p *perlReader) keyword() *tree {
	start := p.at
	word := p.word()
	p.blank()
	switch word {
	case "if", "unless", "elsif":
		return p.condition(start)
	case "while", "until":
		t := p.node(treeLoop, start, p.parenthesis())
		t.kids = append(t.kids, p.block())
		return t
	case "for", "foreach":
		return p.loop(start)
	case "sub":
		if !isNameStart(p.peek(0)) {
			return nil
		}
		name := p.name(p.at, p.word())
		t := p.node(treeDeclare, start, name, p.sub(start))
		t.flags = treeRoomy | treeConstant
		return t
	case "package", "no", "use":
		return p.use(start, word)
	case "BEGIN", "END", "INIT", "CHECK", "UNITCHECK", "continue", "else", "try", "finally":
		if p.peek(0) == '{' {
			return p.block()
		}
	case "return":
		t := p.node(treeReturn, start)
		if c := p.peek(0); c != ';' && c != '}' && c != 0 && !p.modifier() {
			t.kids = append(t.kids, p.list())
		}
		return p.modified(start, t)
	}
	if p.peek(0) == ':' && p.peek(1) != ':' && strings.ToUpper(word) == word { // a label
		p.at++
		return nothing
	}
	return nil
}

// use reads an import. What it's given may still be an expression with calls.
func (p *perlReader) use(start int, word string) *tree {
	module := p.word()
	p.blank()
	if word == "package" {
		if p.peek(0) == '{' {
			return p.block()
		}
		p.eat(";")
		return nothing
	}
	t := p.node(treeOther, start)
	if p.peek(0) != ';' && p.peek(0) != 0 {
		t.kids = append(t.kids, p.expression())
	}
	p.eat(";")
	for name := range strings.FieldsSeq(perlExports()[module]) {
		library := p.name(start, module+"::"+name)
		t.kids = append(t.kids, p.node(treeDeclare, start, p.name(start, name), library))
	}
	if module == "constant" && len(t.kids) == 1 && t.kids[0].op == treeList && len(t.kids[0].kids) == 2 && t.kids[0].kids[0].op == treeText {
		name := p.name(start, t.kids[0].kids[0].text)
		t = p.node(treeDeclare, start, name, t.kids[0].kids[1])
	}
	return t
}

func (p *perlReader) condition(start int) *tree {
	t := p.node(treeBranch, start, p.parenthesis())
	t.kids = append(t.kids, p.block())
	for {
		p.blank()
		switch {
		case p.hasWord("elsif"):
			p.at += len("elsif")
			t.kids = append(t.kids, p.parenthesis(), p.block())
		case p.hasWord("else"):
			p.at += len("else")
			t.kids = append(t.kids, p.block())
			return t
		default:
			return t
		}
	}
}

// loop reads both kinds of for.
func (p *perlReader) loop(start int) *tree {
	target := p.node(treeDeclare, start, p.name(start, "$_"))
	for _, word := range []string{"my", "our", "state"} {
		if p.hasWord(word) {
			p.at += len(word)
		}
	}
	p.blank()
	if p.peek(0) == '$' {
		target.kids[0] = p.variable()
	}
	p.blank()
	open := p.at
	if p.peek(0) != '(' || !p.enter() {
		return nothing
	}
	defer p.leave()
	p.at++
	head := p.node(treeBlock, open)
	p.statements(head, ')')
	if strings.HasSuffix(strings.TrimRight(p.source[open:max(open, p.at-1)], " \t\n"), ";") || len(head.kids) > 1 {
		if len(head.kids) == 0 {
			head.kids = append(head.kids, nothing)
		}
		repeated := p.node(treeLoop, start, head.kids[1:]...)
		repeated.kids = append(repeated.kids[:len(repeated.kids):len(repeated.kids)], p.block())
		return p.node(treeBlock, start, head.kids[0], repeated)
	}
	return p.node(treeEach, start, target, listOf(p.node(treeList, open, head.kids...)), p.block())
}

// listOf returns the list that t is when it's the only thing in it.
func listOf(t *tree) *tree {
	if len(t.kids) == 1 && t.kids[0] != nil && t.kids[0].op == treeList {
		return t.kids[0]
	}
	return t
}

// modifier reports whether a word that changes a statement is next.
func (p *perlReader) modifier() bool {
	for _, word := range []string{"if", "unless", "while", "until", "for", "foreach"} {
		if p.hasWord(word) {
			return true
		}
	}
	return false
}

// modified reads what changes the statement before it: t if x, t for x.
func (p *perlReader) modified(start int, t *tree) *tree {
	p.blank()
	if !p.modifier() {
		return t
	}
	word := p.word()
	value := p.expression()
	switch word {
	case "for", "foreach":
		target := p.node(treeDeclare, start, p.name(start, "$_"))
		return p.node(treeEach, start, target, listOf(p.node(treeList, start, value)), t)
	case "while", "until":
		return p.node(treeLoop, start, value, t)
	}
	return p.node(treeBranch, start, value, t)
}

// sub reads a signature and the body of a function.
func (p *perlReader) sub(start int) *tree {
	shifts, inSub := p.shifts, p.inSub
	p.shifts, p.inSub = 0, true
	t := p.node(treeFunction, start)
	t.flags = treeImplicit
	signature := nothing
	if p.blank(); p.peek(0) == '(' {
		signature = p.parenthesis()
	}
	all := p.name(start, "@_")
	body := p.block()
	if signature.op == treeList && len(signature.kids) > 0 {
		declared := p.node(treeDeclare, start, signature, all)
		body = p.node(treeSequence, start, declared, body)
	}
	t.kids = []*tree{p.node(treeSpread, start, all), body}
	p.shifts, p.inSub = shifts, inSub
	return t
}
