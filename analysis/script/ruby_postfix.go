package script

import "strings"

// postfix reads members, calls and indexes behind a value.
func (p *rubyReader) postfix(start int, t *tree) *tree {
	start = min(start, p.at)
	for links := 0; ; links++ {
		if links > maxChain {
			p.deep = true
			p.at = p.end
			return t
		}
		switch c := p.peek(0); {
		case c == '[' && t.op != treeOther || c == '[' && p.at > 0 && p.source[p.at-1] != ' ':
			items := p.items(']')
			index := nothing
			if len(items) == 1 && items[0] != nil {
				index = items[0]
			}
			t = p.node(treeIndex, start, t, index)
			continue
		case c == ':' && p.peek(1) == ':' && isNameStart(p.peek(2)):
			p.at += 2
			t = p.method(start, t)
			continue
		}
		at, waiting := p.at, len(p.waiting)
		p.blank()
		if waiting == 0 {
			p.continued()
		}
		switch {
		case p.peek(0) == '.' && p.peek(1) != '.' || p.has("&."):
			p.at += strings.IndexByte(p.source[p.at:p.end], '.') + 1
			p.blank()
			t = p.method(start, t)
			continue
		}
		p.at = at
		return t
	}
}

// continued goes to the next line if that begins with a method.
func (p *rubyReader) continued() {
	if p.peek(0) != '\n' {
		return
	}
	for i := p.at; i < p.end; i++ {
		switch p.source[i] {
		case '\n', ' ', '\t', '\r':
		case '.':
			if i+1 < p.end && p.source[i+1] != '.' {
				p.at = i
			}
			return
		case '&':
			if i+1 < p.end && p.source[i+1] == '.' {
				p.at = i
			}
			return
		default:
			return
		}
	}
}

// method reads the name behind a "." and the call of it.
func (p *rubyReader) method(start int, of *tree) *tree {
	t := p.node(treeMember, start, of)
	switch c := p.peek(0); {
	case c == '(':
		t.text = "call"
	case c == '`' || c == '+' || c == '/' || c == '[':
		p.at++
	default:
		t.text = p.word()
	}
	t.source = p.since(start)
	if t.text == "" {
		return t
	}
	if p.peek(0) == ' ' && p.assigns() { // x.y = z
		return t
	}
	if t.text[0] >= 'A' && t.text[0] <= 'Z' && p.peek(0) != '(' && !p.commands() { // a constant
		return t
	}
	return p.invoked(start, t)
}

// assigns reports whether an assignment follows.
func (p *rubyReader) assigns() bool {
	i := 0
	for p.peek(i) == ' ' {
		i++
	}
	return p.peek(i) == '=' && p.peek(i+1) != '=' && p.peek(i+1) != '~'
}

// invoked reads the arguments of a call, and the block for it.
func (p *rubyReader) invoked(start int, callee *tree) *tree {
	t := p.node(treeCall, start, callee)
	switch {
	case p.peek(0) == '(':
		t.kids = append(t.kids, p.items(')')...)
	case p.commands():
		p.blank()
		t.kids = append(t.kids, p.arguments()...)
	}
	at := p.at
	p.blank()
	switch {
	case p.peek(0) == '{' && (at == p.at || t.kids != nil):
		t.kids = append(t.kids, p.block(start))
	case p.hasWord("do") && p.noDo == 0:
		t.kids = append(t.kids, p.doBlock(start))
	default:
		p.at = at
	}
	t.source = p.since(start)
	return t
}
