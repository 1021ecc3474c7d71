package script

import "strings"

// primary reads a constant, a variable, a call or what is in brackets.
func (p *perlReader) primary() *tree {
	p.blank()
	start := p.at
	c := p.peek(0)
	switch {
	case c == '\'':
		from, to := p.delimited()
		return p.text(start, singleQuoted(p.source[from:to]))
	case c == '"':
		from, to := p.delimited()
		return p.interpolated(from, to, false)
	case c == '`':
		from, to := p.delimited()
		return p.call(start, "CORE::qx", p.interpolated(from, to, false))
	case c == '/':
		p.delimited()
		p.word()
		return p.node(treeOther, start)
	case c == '$' || c == '@' || c == '%' && (isNameStart(p.peek(1)) || p.peek(1) == '{' || p.peek(1) == '$' || p.peek(1) == '+'):
		return p.variable()
	case c == '&' && (isNameStart(p.peek(1)) || p.peek(1) == '$' || p.peek(1) == '{'):
		return p.ampersand()
	case c >= '0' && c <= '9':
		for isNameByte(p.peek(0)) || p.peek(0) == '.' && p.peek(1) >= '0' && p.peek(1) <= '9' {
			p.at++
		}
		t := p.node(treePlain, start)
		t.text = strings.ReplaceAll(t.source, "_", "")
		return t
	case c == '(':
		return p.parenthesis()
	case c == '[':
		return p.anonymous(']')
	case c == '{':
		return p.anonymous('}')
	case c == '<':
		return p.angle()
	case isNameStart(c):
		return p.named()
	}
	return nothing
}

// anonymous reads an array or hash in brackets.
func (p *perlReader) anonymous(closing byte) *tree {
	start := p.at
	if !p.enter() {
		return nothing
	}
	defer p.leave()
	p.at++
	inner := p.node(treeSequence, start)
	p.statements(inner, closing)
	t := p.node(treeList, start)
	t.flags = treeMade // it isn't flat in another list
	for _, kid := range inner.kids {
		t.kids = append(t.kids, flat(kid)...)
	}
	if closing == '}' {
		return p.pairs(start, t)
	}
	return t
}

// angle reads <FILE>, <*.c> or a here-document.
func (p *perlReader) angle() *tree {
	start := p.at
	if p.peek(1) == '<' {
		if t := p.hereDocument(); t != nil {
			return t
		}
	}
	const long = 200
	end := strings.IndexByte(p.source[p.at:min(p.end, p.at+long)], '>')
	if end < 0 {
		return nothing
	}
	p.at += end + 1
	return p.node(treeSpread, start, p.node(treeOther, start))
}

// variable reads a variable with its sign, without subscripts.
func (p *perlReader) variable() *tree {
	start := p.at
	sign := p.source[start : start+1]
	p.at++
	if sign == "$" && p.peek(0) == '#' && (p.peek(1) == '{' || p.peek(1) == '$' || isNameStart(p.peek(1))) { // the last index
		p.at++
		p.variablePart()
		return p.node(treeOther, start)
	}
	t := p.variablePart()
	if t == nil {
		return p.node(treeOther, start)
	}
	if t.op == treeName && !strings.HasPrefix(t.text, "$") {
		t = p.name(start, sign+strings.TrimPrefix(t.text, "main::"))
	}
	if sign == "$" {
		return t
	}
	if c := p.peek(0); sign == "@" && (c == '[' || c == '{') && t.op == treeName { // a slice
		p.subscript(start, t)
		return p.node(treeSpread, start, p.node(treeOther, start))
	}
	return p.node(treeSpread, start, t)
}

// variablePart reads what stands behind the sign of a variable. A name comes
// without a sign, a reference as what it is.
func (p *perlReader) variablePart() *tree {
	start := p.at
	switch c := p.peek(0); {
	case c == '$' && (isNameStart(p.peek(1)) || p.peek(1) == '{' || p.peek(1) == '$'):
		if !p.enter() {
			return nil
		}
		defer p.leave()
		p.at++
		t := p.variablePart()
		if t != nil && t.op == treeName && !strings.HasPrefix(t.text, "$") {
			t.text = "$" + t.text
		}
		return t
	case c == '{':
		p.at++
		p.eat("^")
		word := p.at
		p.blank()
		name := p.word()
		p.blank()
		if name != "" && p.peek(0) == '}' {
			p.at++
			return p.name(start, name)
		}
		p.at = word
		if !p.enter() {
			return nil
		}
		defer p.leave()
		t := p.node(treeSequence, start)
		p.statements(t, '}')
		if len(t.kids) == 1 && t.kids[0].op == treeName {
			return t.kids[0]
		}
		return t
	case isNameByte(c) || c == ':' && p.peek(1) == ':':
		return p.name(start, p.word())
	case c == '^' && isNameStart(p.peek(1)):
		p.at += 2
	case c != 0 && strings.IndexByte("&`'+!@/\\,;.<>()[]^0-\"|?:~=%*", c) >= 0:
		p.at++
		return p.name(start, "special "+string(rune(c)))
	}
	return nil
}

// ampersand reads &name(...), &$code(...) and &name.
func (p *perlReader) ampersand() *tree {
	start := p.at
	p.at++
	var callee *tree
	if p.peek(0) == '$' || p.peek(0) == '{' {
		if p.peek(0) == '$' {
			callee = p.variable()
		} else {
			callee = p.block()
		}
	} else {
		callee = p.name(start, p.word())
	}
	if p.blank(); p.peek(0) != '(' {
		return callee
	}
	return p.node(treeCall, start, append([]*tree{callee}, p.arguments()...)...)
}
