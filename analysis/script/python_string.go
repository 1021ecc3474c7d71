package script

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// strings reads one string, or several that stand side by side.
func (p *pyParser) strings() *pyExpr {
	start, line := p.token.start, p.token.line
	var parts []*pyExpr
	var text strings.Builder
	dynamic, format := false, false
	flush := func() {
		if text.Len() == 0 && !dynamic {
			return
		}
		part := p.node(pyText, start, line)
		part.text, part.dynamic = text.String(), dynamic
		parts = append(parts, part)
		text.Reset()
		dynamic = false
	}
	for p.token.kind == pyString {
		token := p.token
		p.next()
		if !strings.ContainsAny(token.prefix, "ft") {
			part, unknown := pyUnescape(token.text, token.prefix)
			text.WriteString(part)
			dynamic = dynamic || unknown
			continue
		}
		format = true
		pyReplacements(&token, func(literal string) {
			part, unknown := pyUnescape(literal, token.prefix)
			text.WriteString(part)
			dynamic = dynamic || unknown
		}, func(code string) {
			flush()
			parts = append(parts, p.replacement(code, token.line))
		})
	}
	if !format {
		e := p.node(pyText, start, line)
		e.text, e.dynamic = text.String(), dynamic
		return e
	}
	flush()
	return p.node(pyFormat, start, line, parts...)
}

// pyReplacements gives the parts of the f-string token to literal and code in
// turn.
func pyReplacements(token *pyToken, literal, code func(string)) {
	text := token.text
	from := 0
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] == '{' && at+1 < len(text) && text[at+1] == '{',
			text[at] == '}' && at+1 < len(text) && text[at+1] == '}':
			literal(text[from : at+1])
			at++
			from = at + 1
		case text[at] == '{':
			end := replacementEnd(text, at, true)
			if end < 0 {
				literal(text[from:])
				return
			}
			literal(text[from:at])
			code(text[at+1 : end])
			at = end
			from = end + 1
		}
	}
	literal(text[from:])
}

// replacement reads what stands between the braces of an f-string: an
// expression, and how it's to be written.
func (p *pyParser) replacement(code string, line int) *pyExpr {
	if p.depth++; p.depth > pyMaxDepth {
		p.stop()
	}
	defer func() { p.depth-- }()
	inner := newPyParser(code, line, p.depth)
	inner.lexer.brackets = 1 // a line's end doesn't count
	e := inner.tuple()
	p.nodes += inner.nodes
	if inner.complex {
		p.stop()
	}
	if inner.token.kind == pyEnd {
		return e
	}
	if inner.accept("!") && (inner.accept("s") || inner.accept("r")) && inner.token.kind == pyEnd && inner.last > 0 && !strings.HasSuffix(code, "r") {
		return e
	}
	// Written in a way of its own, so what comes out isn't known.
	return &pyExpr{op: pyOther, parts: []*pyExpr{e}, source: code, line: line}
}

// pySimpleEscapes are those of one letter.
var pySimpleEscapes = sync.OnceValue(func() map[byte]string {
	return map[byte]string{
		'\n': "", '\\': "\\", '\'': "'", '"': "\"",
		'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
	}
})

// pyUnescape returns the value of what is written in a string. Names of
// characters, as in "\N{dash}", are unknown and left as they are.
func pyUnescape(text, prefix string) (value string, unknown bool) {
	if strings.IndexByte(text, '\\') < 0 || strings.IndexByte(prefix, 'r') >= 0 {
		return text, false
	}
	bytes := strings.IndexByte(prefix, 'b') >= 0
	var b strings.Builder
	for at := 0; at < len(text); at++ {
		c := text[at]
		if c != '\\' || at+1 == len(text) {
			b.WriteByte(c)
			continue
		}
		at++
		c = text[at]
		if simple, ok := pySimpleEscapes()[c]; ok {
			b.WriteString(simple)
			continue
		}
		digits, base := 0, 16
		from := at + 1
		switch {
		case c >= '0' && c <= '7':
			from, base, digits = at, 8, 3
		case c == 'x':
			digits = 2
		case c == 'u' && !bytes:
			digits = 4
		case c == 'U' && !bytes:
			digits = 8
		case c == 'N' && !bytes:
			unknown = true
		}
		end := from
		for end < len(text) && end < from+digits && isDigitOf(text[end], base) {
			end++
		}
		number, err := strconv.ParseUint(text[from:end], base, 32)
		if err != nil || number > utf8.MaxRune {
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		}
		if bytes {
			b.WriteByte(byte(number))
		} else {
			b.WriteRune(rune(number))
		}
		at = end - 1
	}
	return b.String(), unknown
}

func isDigitOf(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
