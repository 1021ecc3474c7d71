package script

import "strings"

// texts reads quoted texts, which are one if they stand side by side.
func (p *rubyReader) texts() *tree {
	start := p.at
	c := p.peek(0)
	t := p.quotedFrom(c, c, c == '\'')
	if c == '`' {
		return p.call(start, "`", t)
	}
	for {
		at := p.at
		p.blank()
		if next := p.peek(0); next != '"' && next != '\'' {
			p.at = at
			break
		}
		second := p.quotedFrom(p.peek(0), p.peek(0), p.peek(0) == '\'')
		if t.flags&treeMade == 0 {
			t = p.node(treeJoin, start, t)
			t.flags = treeMade
		}
		t.kids = append(t.kids, second)
	}
	if t.flags&treeMade != 0 {
		t.flags &^= treeMade
		t.source = p.since(start)
	}
	return t
}

// quotedFrom reads a text whose opening delimiter is next.
func (p *rubyReader) quotedFrom(open, closing byte, verbatim bool) *tree {
	p.at++
	if open == closing {
		open = 0
	}
	if !p.enter() {
		return nothing
	}
	defer p.leave()
	return p.quoted(open, closing, verbatim)
}

// quoted reads a text up to its delimiter, or to the end where that is 0.
func (p *rubyReader) quoted(open, closing byte, verbatim bool) *tree {
	start := p.at
	t := p.node(treeJoin, start)
	part := start
	flush := func() {
		if part < p.at {
			raw := p.source[part:min(p.at, p.end)]
			if verbatim {
				raw = singleQuoted(raw)
			} else {
				raw = unescaped(raw)
			}
			t.kids = append(t.kids, p.text(part, raw))
		}
	}
	level := 0
	for p.at < p.end {
		c := p.source[p.at]
		switch {
		case c == '\\':
			p.at++
		case c == closing && closing != 0 && level == 0:
			flush()
			p.at++
			return p.single(t, start)
		case c == closing && closing != 0:
			level--
		case c == open && open != 0:
			level++
		case c == '#' && !verbatim && p.peek(1) == '{':
			flush()
			t.kids = append(t.kids, p.inner())
			part = p.at
			continue
		}
		p.at++
	}
	p.at = p.end
	flush()
	return p.single(t, start)
}

// inner reads the expression of #{...}.
func (p *rubyReader) inner() *tree {
	start := p.at
	p.at += 2
	if !p.enter() {
		return nothing
	}
	defer p.leave()
	t := p.node(treeSequence, start)
	p.statements(t, "}")
	if p.peek(0) == '}' {
		p.at++
	}
	if len(t.kids) == 1 {
		return t.kids[0]
	}
	return t
}

// single makes a constant of a text without expressions in it.
func (p *rubyReader) single(t *tree, start int) *tree {
	t.source = p.since(start)
	switch {
	case len(t.kids) == 0:
		t.op = treeText
	case len(t.kids) == 1 && t.kids[0].op == treeText:
		return t.kids[0]
	}
	return t
}

// percent reads %w[...], %x(...) and the like, or returns nil.
func (p *rubyReader) percent() *tree {
	start := p.at
	kind := p.peek(1)
	p.at++
	if strings.IndexByte("wWiIqQxrs", kind) >= 0 && kind != 0 {
		p.at++
	} else {
		kind = 'Q'
	}
	open := p.peek(0)
	if open == 0 || open == ' ' || open == '\n' || open == '=' || isNameByte(open) {
		return nil
	}
	verbatim := kind == 'w' || kind == 'i' || kind == 'q' || kind == 's'
	t := p.quotedFrom(open, closingOf(open), verbatim)
	switch kind {
	case 'x':
		return p.call(start, "`", t)
	case 'r':
		p.word()
		return p.node(treeOther, start)
	case 'w', 'W', 'i', 'I':
		list := p.node(treeList, start)
		if t.op == treeJoin {
			list.kids = []*tree{p.node(treeSpread, start, p.node(treeOther, start, t))}
			return list
		}
		for word := range strings.FieldsSeq(t.text) {
			list.kids = append(list.kids, p.text(start, word))
		}
		return list
	}
	return t
}

// hereDocument notes a here-document, whose text comes after this line.
func (p *rubyReader) hereDocument() *tree {
	start := p.at
	p.at += 2
	if p.peek(0) == '~' || p.peek(0) == '-' {
		p.at++
	}
	document := hereDocument{}
	switch c := p.peek(0); {
	case c == '"' || c == '\'' || c == '`':
		from, to := p.delimited()
		document.tag, document.verbatim, document.command = p.source[from:to], c == '\'', c == '`'
	case c >= 'A' && c <= 'Z' || c == '_' || isNameStart(c) && p.at > start+2:
		document.tag = p.word()
	default:
		p.at = start
		return nil
	}
	document.into = p.text(start, "")
	p.waiting = append(p.waiting, document)
	return document.into
}
