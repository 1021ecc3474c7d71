package script

import "strings"

// postfix reads subscripts, methods and calls behind a value.
func (p *perlReader) postfix(start int, t *tree) *tree {
	start = min(start, p.at)
	for links := 0; ; links++ {
		if links > maxChain {
			p.deep = true
			p.at = p.end
			return t
		}
		if t.op == treeName || t.op == treeIndex || t.op == treeCall && p.peek(0) == '[' {
			if next := p.subscript(start, t); next != nil {
				t = next
				continue
			}
		}
		at := p.at
		p.blank()
		switch {
		case p.has("->"):
			p.at += 2
			p.blank()
			if next := p.arrow(start, t); next != nil {
				t = next
				continue
			}
			p.at = max(at+2, p.at)
			continue
		case p.has("++") || p.has("--"):
			p.at += 2
			t = p.node(treeAssign, start, t, p.node(treeOther, start))
			continue
		case t.op == treeList && p.peek(0) == '[': // (LIST)[0]
			p.subscript(start, t)
			t = p.node(treeOther, start, t)
			continue
		}
		p.at = max(at, min(p.at, p.end))
		return t
	}
}

// arrow reads what stands behind "->".
func (p *perlReader) arrow(start int, t *tree) *tree {
	switch c := p.peek(0); {
	case c == '[' || c == '{':
		return p.subscript(start, t)
	case c == '(':
		return p.node(treeCall, start, append([]*tree{t}, p.arguments()...)...)
	case c == '@' || c == '%' || c == '$':
		p.at++
		p.eat("*")
		return p.node(treeSpread, start, t)
	case isNameStart(c):
		if t.op == treeText || t.op == treeCall && len(t.kids) == 1 { // a class
			t = p.name(start, strings.TrimSuffix(strings.TrimSpace(t.source), "->"))
		}
		member := p.node(treeMember, start, t)
		member.text = p.word()
		member.source = p.since(start)
		if p.peek(0) == '(' {
			return p.node(treeCall, start, append([]*tree{member}, p.arguments()...)...)
		}
		return p.node(treeCall, start, member)
	}
	return nil
}

// subscript reads [..] or {..} behind a value, or returns nil.
func (p *perlReader) subscript(start int, t *tree) *tree {
	c := p.peek(0)
	if c != '[' && c != '{' || t.op == treeName && !strings.HasPrefix(t.text, "$") && !strings.HasPrefix(t.text, "@") && !strings.HasPrefix(t.text, "%") || !p.enter() {
		return nil
	}
	defer p.leave()
	open := p.at
	p.at++
	index := p.node(treeSequence, open)
	p.blank()
	if word := p.at; c == '{' && isNameStart(p.peek(0)) {
		key := p.word()
		p.blank()
		if p.peek(0) == '}' {
			p.at++
			index = p.text(word, key)
		} else {
			p.at = word
		}
	}
	if index.op == treeSequence {
		p.statements(index, closingOf(c))
	}
	of := t
	if t.op == treeName && p.source[open-1] != '>' { // $x[0] is of @x, $x{a} of %x
		of = p.name(start, map[byte]string{'[': "@", '{': "%"}[c]+t.text[1:])
	}
	return p.node(treeIndex, start, of, index)
}

// arguments reads those between parentheses.
func (p *perlReader) arguments() []*tree {
	return flat(p.parenthesis())
}

// flat returns the values of a list, or the only one.
func flat(t *tree) []*tree {
	switch {
	case t == nothing:
		return nil
	case t.op == treeList && t.flags&treeMade == 0:
		return t.kids
	}
	return []*tree{t}
}

// parenthesis reads a list in parentheses.
func (p *perlReader) parenthesis() *tree {
	p.blank()
	start := p.at
	if p.peek(0) != '(' || !p.enter() {
		return nothing
	}
	defer p.leave()
	p.at++
	inner := p.node(treeSequence, start)
	p.statements(inner, ')')
	t := p.node(treeList, start)
	for _, kid := range inner.kids {
		t.kids = append(t.kids, flat(kid)...)
	}
	return t
}
