package lib

import (
	"fmt"
	"strings"
	"unicode"
)

// plain is a text argument that isn't empty, as [plainText] leaves it.
func (c call) plain(n, most int, line bool) string {
	text := c.text(n)
	if len(text) > most {
		c.bad(n, fmt.Sprintf("a text of more than %d bytes", most))
	}
	c.charge(len(text))
	c.allocate(len(text))
	text = plainText(text, line)
	if text == "" {
		c.bad(n, "a text expected, it is empty")
	}
	return text
}

// plain is an optional text, "" where it isn't there, as [plainText] leaves it.
func (o options) plain(name string, most int, line bool) string {
	text, _ := o.text(name)
	if len(text) > most {
		o.c.bad(o.n, fmt.Sprintf("%s: a text of more than %d bytes", name, most))
	}
	o.c.charge(len(text))
	o.c.allocate(len(text))
	return plainText(text, line)
}

// plainText is a text as others may read it on a terminal: valid UTF-8 without what
// controls it, but for line ends and tabs; one line has none of them either, and no
// blanks around it.
func plainText(text string, line bool) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			if line {
				return ' '
			}
			return r
		case r == '\r' && line:
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
	if line {
		return strings.TrimSpace(text)
	}
	return strings.TrimRightFunc(text, unicode.IsSpace)
}
