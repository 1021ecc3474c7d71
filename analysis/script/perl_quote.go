package script

import "strings"

// quoteLike reads what begins with one of Perl's quoting words, or returns nil.
func (p *perlReader) quoteLike(word string, start int) *tree {
	switch word {
	case "q", "qq", "qw", "qx", "m", "qr", "s", "tr", "y":
	default:
		return nil
	}
	if p.peek(0) == ' ' || p.peek(0) == '\t' || p.peek(0) == '\n' {
		blank := p.at
		p.blank()
		if p.peek(0) == '=' || p.peek(0) == ',' || p.peek(0) == ';' || p.peek(0) == ')' || isNameByte(p.peek(0)) {
			p.at = blank
			return nil
		}
	}
	c := p.peek(0)
	if c == 0 || c == ',' || c == ';' || c == ')' || isNameByte(c) || c == '=' && (p.peek(1) == '>' || word == "y" || word == "s" || word == "q" || word == "m") {
		return nil
	}
	from, to := p.delimited()
	switch word {
	case "q":
		return p.text(start, singleQuoted(p.source[from:to]))
	case "qq":
		return p.interpolated(from, to, false)
	case "qx":
		return p.call(start, "CORE::qx", p.interpolated(from, to, c == '\''))
	case "qw":
		t := p.node(treeList, start)
		for word := range strings.FieldsSeq(p.source[from:to]) {
			t.kids = append(t.kids, p.text(start, word))
		}
		return t
	case "m", "qr":
		p.word()
		return p.node(treeOther, start)
	}
	return p.substitution(word, start, c)
}

// substitution reads the second part of s/// and tr///. That of s///e is code.
func (p *perlReader) substitution(word string, start int, open byte) *tree {
	if closingOf(open) != open {
		p.blank()
	} else {
		p.at-- // the delimiter in the middle
	}
	from, to := p.delimited()
	flags := p.word()
	if word != "s" || !strings.Contains(flags, "e") {
		return p.node(treeOther, start)
	}
	code := p.within(from, to, func() *tree {
		t := p.node(treeBlock, p.at)
		p.statements(t, 0)
		return t
	})
	if strings.Contains(flags, "ee") {
		code = p.call(start, "CORE::eval", code)
	}
	return p.node(treeOther, start, code)
}

// within reads a part of the source that was skipped.
func (p *perlReader) within(from, to int, read func() *tree) *tree {
	waiting := p.waiting
	p.waiting = nil
	t := p.sourceReader.within(from, to, read)
	p.waiting = waiting
	return t
}

// interpolated reads a text with variables in it.
func (p *perlReader) interpolated(from, to int, verbatim bool) *tree {
	raw := p.source[from:to]
	if verbatim {
		return p.text(from, raw)
	}
	if !strings.ContainsAny(raw, "$@") {
		return p.text(from, unescaped(raw))
	}
	return p.within(from, to, func() *tree {
		t := p.node(treeJoin, from)
		t.source = raw
		part := from
		flush := func() {
			if part < p.at {
				t.kids = append(t.kids, p.text(part, unescaped(p.source[part:p.at])))
			}
		}
		for p.at < p.end {
			c := p.source[p.at]
			switch {
			case c == '\\':
				p.at += 2
				continue
			case c == '$' && (isNameStart(p.peek(1)) || p.peek(1) == '{' || p.peek(1) == '$' || p.peek(1) >= '0' && p.peek(1) <= '9' || p.peek(1) == ':' || p.peek(1) == '@' || p.peek(1) == '!' || p.peek(1) == '&'):
				flush()
				t.kids = append(t.kids, p.interpolatedVariable())
			case c == '@' && (isNameStart(p.peek(1)) || p.peek(1) == '{' || p.peek(1) == '$'):
				flush()
				start := p.at
				list := p.variable()
				t.kids = append(t.kids, p.call(start, "CORE::join", p.text(start, " "), list))
			default:
				p.at++
				continue
			}
			part = p.at
		}
		p.at = min(p.at, p.end)
		flush()
		return t
	})
}

// interpolatedVariable reads a variable in a text: only a subscript that stands directly
// behind belongs to it.
func (p *perlReader) interpolatedVariable() *tree {
	start := p.at
	t := p.variable()
	for links := 0; links < maxChain; links++ {
		at := p.at
		if p.has("->") && (p.peek(2) == '[' || p.peek(2) == '{') {
			p.at += 2
		}
		next := p.subscript(start, t)
		if next == nil {
			p.at = at
			return t
		}
		t = next
	}
	return t
}

// hereDocument notes a here-document, whose text comes after this line.
func (p *perlReader) hereDocument() *tree {
	start := p.at
	p.at += 2
	document := hereDocument{}
	if p.peek(0) == '~' {
		document.indented = true
		p.at++
	}
	switch c := p.peek(0); {
	case c == '"' || c == '\'' || c == '`':
		from, to := p.delimited()
		document.tag, document.verbatim, document.command = p.source[from:to], c == '\'', c == '`'
	case isNameStart(c):
		document.tag = p.word()
	default:
		p.at = start
		return nil
	}
	document.into = p.text(start, "")
	p.waiting = append(p.waiting, document)
	return document.into
}
