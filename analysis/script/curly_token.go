package script

// curlyToken is one token of JavaScript or PHP.
type curlyToken struct {
	kind       curlyKind
	text       string // as it is written; of a text its value
	start, end int    // in the source
	line       int
	match      int  // index of the bracket that belongs to this one, 0 for none
	fresh      bool // it stands on a new line
}

type curlyKind uint8

const (
	curlyEnd    curlyKind = iota
	curlyName             // also keywords; with the "$" of PHP's variables
	curlyText             // a constant text
	curlyNumber           // also a regular expression, which is nothing to us
	curlyMark             // an operator or bracket
	curlyOpen             // begins a text with parts: curlyText tokens, expressions between "${" and "}"
	curlyClose            // ends it
)

// curlyScanner is what the tokenizers of both languages share.
type curlyScanner struct {
	source string
	at     int
	line   int
	fresh  bool
	tokens []curlyToken
	open   []int // indexes of the brackets that are open
}

// newCurlyScanner returns one with room for the tokens of source. Token 0 is
// nothing, so that 0 can stand for no token.
func newCurlyScanner(source string, line int) curlyScanner {
	tokens := make([]curlyToken, 1, len(source)/2+8)
	tokens[0] = curlyToken{kind: curlyMark, text: ";"}
	return curlyScanner{source: source, line: line, tokens: tokens}
}

func (c *curlyScanner) peek(n int) byte {
	if c.at+n < len(c.source) {
		return c.source[c.at+n]
	}
	return 0
}

// add adds the token that begins at start and ends here.
func (c *curlyScanner) add(kind curlyKind, text string, start, line int) {
	c.tokens = append(c.tokens, curlyToken{kind: kind, text: text, start: start, end: c.at, line: line, fresh: c.fresh})
	c.fresh = false
}

// mark adds an operator or bracket of n bytes, under the name that the parser has for it.
func (c *curlyScanner) mark(n int, text string) {
	start := c.at
	c.at += n
	c.add(curlyMark, text, start, c.line)
	switch text {
	case "(", "[", "{", "${":
		c.open = append(c.open, len(c.tokens)-1)
	case ")", "]", "}":
		c.pair(text)
	}
}

// pair finds the bracket that a closing one belongs to. Brackets left open in
// between are closed with it.
func (c *curlyScanner) pair(closing string) {
	wanted := map[string]string{")": "(", "]": "[", "}": "{"}[closing]
	const far = 8 // brackets that may be missing
	for i := len(c.open) - 1; i >= 0 && i >= len(c.open)-far; i-- {
		text := c.tokens[c.open[i]].text
		if text == wanted || closing == "}" && text == "${" {
			last := len(c.tokens) - 1
			c.tokens[last].match = c.open[i]
			c.tokens[c.open[i]].match = last
			c.open = c.open[:i]
			return
		}
	}
}

// blank skips a blank or the end of a line, and reports whether there was one.
func (c *curlyScanner) blank() bool {
	switch c.source[c.at] {
	case '\n':
		c.line++
		c.fresh = true
	case ' ', '\t', '\r', '\f', '\v':
	default:
		return false
	}
	c.at++
	return true
}

// skipTo goes behind the next end, or to the end of the source.
func (c *curlyScanner) skipTo(end string) {
	for c.at < len(c.source) {
		if c.source[c.at] == end[0] && len(c.source)-c.at >= len(end) && c.source[c.at:c.at+len(end)] == end {
			c.at += len(end)
			return
		}
		if c.source[c.at] == '\n' {
			c.line++
			c.fresh = true
		}
		c.at++
	}
}

// skipLine goes to the end of the line.
func (c *curlyScanner) skipLine() {
	for c.at < len(c.source) && c.source[c.at] != '\n' {
		c.at++
	}
}

// finish adds the token at the end. It is all that follows a bracket without
// a partner.
func (c *curlyScanner) finish() []curlyToken {
	c.add(curlyEnd, "", len(c.source), c.line)
	for _, open := range c.open {
		c.tokens[open].match = len(c.tokens) - 1
	}
	return c.tokens
}
