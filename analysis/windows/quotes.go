package windows

import (
	"strconv"
	"strings"
)

// isVariable reports whether the $ at which the parser stands begins one.
func (p *parser) isVariable() bool {
	c := p.ahead(1)
	return isLetter(c) || isDigit(c) || c == '{' || c == '(' || c == '$' || c == '?' || c == '^'
}

// variable reads $x, ${x}, $env:x.
func (p *parser) variable() *node {
	n := p.node(variableNode, p.at)
	p.at++
	switch {
	case p.accept("{"):
		end := strings.IndexByte(p.text[p.at:], '}')
		if end < 0 {
			p.fail("a { isn't closed")
			end = len(p.text) - p.at
		}
		n.text = strings.ToLower(p.text[p.at : p.at+end])
		p.at = min(p.at+end+1, len(p.text))
		return p.done(n)
	case p.peek() == '$' || p.peek() == '?' || p.peek() == '^':
		n.text = p.text[p.at : p.at+1]
		p.at++
		return p.done(n)
	}
	from := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		if c == ':' && (p.ahead(1) == ':' || !isLetter(p.ahead(1)) && p.ahead(1) != '(') {
			break
		}
		if !isLetter(c) && !isDigit(c) && c != ':' {
			break
		}
		if c == ':' && p.ahead(1) == '(' {
			break
		}
		p.at++
	}
	n.text = strings.ToLower(p.text[from:p.at])
	for _, scope := range [...]string{"global:", "script:", "local:", "private:", "using:", "variable:"} {
		n.text = strings.TrimPrefix(n.text, scope)
	}
	return p.done(n)
}

// curly returns the quote that a typographic one stands for, 0 for none.
func curly(text string) byte {
	for _, q := range [...]string{"\u2018", "\u2019", "\u201a", "\u201b"} {
		if strings.HasPrefix(text, q) {
			return '\''
		}
	}
	for _, q := range [...]string{"\u201c", "\u201d", "\u201e"} {
		if strings.HasPrefix(text, q) {
			return '"'
		}
	}
	return 0
}

// WithHyphens is a text with hyphens for the dashes that PowerShell takes for them. In quotes it makes no difference
// that matters.
func WithHyphens(text string) string {
	if !strings.Contains(text, "\u2013"[:2]) {
		return text
	}
	return strings.NewReplacer("\u2013", "-", "\u2014", "-", "\u2015", "-").Replace(text)
}

// quote returns the quote at which the parser stands, and how long it is.
func (p *parser) quote() (byte, int) {
	if c := p.peek(); c == '\'' || c == '"' {
		return c, 1
	}
	if c := curly(p.text[min(p.at, len(p.text)):]); c != 0 {
		return c, 3
	}
	return 0, 0
}

// quotedText reads a text in quotes, or a here-string.
func (p *parser) quotedText() *node {
	start := p.at
	if p.peek() == '@' {
		return p.hereString()
	}
	q, size := p.quote()
	p.at += size
	n := p.node(expandNode, start)
	n.quoted = true
	closed := p.parts(n, q, func() bool {
		c, size := p.quote()
		if c != q {
			return false
		}
		p.at += size
		if again, size := p.quote(); again == q {
			p.at += size - 1
			return false
		}
		return true
	})
	if !closed {
		p.fail("a quote isn't closed")
	}
	return p.textOf(n)
}

// textOf makes a text without parts that aren't known one node.
func (p *parser) textOf(n *node) *node {
	p.done(n)
	switch {
	case len(n.kids) == 0:
		return &node{kind: stringNode, start: n.start, end: n.end, quoted: true}
	case len(n.kids) == 1 && n.kids[0].kind == stringNode:
		return &node{kind: stringNode, start: n.start, end: n.end, text: n.kids[0].text, quoted: true}
	}
	return n
}

func (p *parser) hereString() *node {
	start := p.at
	q := p.ahead(1)
	p.at += 2
	line := strings.IndexByte(p.text[p.at:], '\n')
	if line < 0 || strings.TrimSpace(p.text[p.at:p.at+line]) != "" {
		p.fail("a here-string begins with a line of its own")
		p.at = len(p.text)
		return p.node(stringNode, start)
	}
	p.at += line + 1
	end := strings.Index(p.text[p.at-1:], "\n"+string(q)+"@")
	size := 3
	if end < 0 {
		p.fail("a here-string isn't closed")
		end, size = len(p.text)-p.at+1, 0
	}
	text := strings.TrimSuffix(p.text[p.at:max(p.at, p.at-1+end)], "\r")
	stop := p.at - 1 + end + size
	n := p.node(expandNode, start)
	n.quoted = true
	if q == '\'' {
		n.add(&node{kind: stringNode, start: start, end: stop, text: text, quoted: true})
	} else {
		inner := &parser{text: p.text[:p.at+len(text)], at: p.at, depth: p.depth}
		inner.parts(n, '"', func() bool { return false })
		if inner.deep {
			p.deep = true
		}
		if inner.mistake != "" && p.mistake == "" {
			p.mistake, p.wrong = inner.mistake, inner.wrong
		}
	}
	p.at = min(stop, len(p.text))
	return p.textOf(n)
}

// parts reads text and variables up to the place where ends says so. In single
// quotes there is only text.
func (p *parser) parts(n *node, q byte, ends func() bool) bool {
	var b strings.Builder
	from := p.at
	flush := func() {
		if b.Len() > 0 {
			n.add(&node{kind: stringNode, start: from, end: p.at, text: b.String(), quoted: true})
			b.Reset()
		}
		from = p.at
	}
	for p.at < len(p.text) {
		before := p.at
		if ends() {
			end := p.at
			p.at = before
			flush()
			p.at = end
			return true
		}
		if p.at != before { // a quote written twice
			b.WriteByte(q)
			p.at++
			continue
		}
		c := p.text[p.at]
		switch {
		case q == '"' && c == '`' && p.at+1 < len(p.text):
			r, size := escaped(p.text[p.at:])
			b.WriteString(r)
			p.at += size
		case q == '"' && c == '$' && p.isVariable() && p.ahead(1) != '?' && p.ahead(1) != '^':
			flush()
			if p.ahead(1) == '(' {
				if !p.enter() {
					return false
				}
				n.add(p.primary())
				p.leave()
			} else {
				n.add(p.variable())
			}
			from = p.at
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	flush()
	return false
}

// escaped returns what a backtick and the letter behind it stand for.
func escaped(text string) (string, int) {
	switch text[1] {
	case 'n':
		return "\n", 2
	case 't':
		return "\t", 2
	case 'r':
		return "\r", 2
	case '0':
		return "\x00", 2
	case 'a', 'b', 'f', 'v':
		return " ", 2
	case 'u': // of PowerShell 7, where `e is no letter, either
		if end := strings.IndexByte(text, '}'); end > 3 && end < 10 && text[2] == '{' {
			if code, err := strconv.ParseUint(text[3:end], 16, 21); err == nil {
				return string(rune(code)), end + 1
			}
		}
	case '\r':
		return "", 2
	}
	return text[1:2], 2
}
