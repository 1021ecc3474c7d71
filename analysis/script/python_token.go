package script

import "strings"

// pyTokenKind is the kind of a token of Python.
type pyTokenKind uint8

const (
	pyEnd pyTokenKind = iota
	pyNewline
	pyName
	pyNumeric
	pyString
	pyOperator
)

// pyToken is one token. Of a string, text is what stands between the quotes.
type pyToken struct {
	kind       pyTokenKind
	text       string
	prefix     string // of a string, in lower case
	start, end int
	line       int
	indent     int // of the line that it begins, -1 elsewhere
}

func (t *pyToken) is(text string) bool {
	return t.text == text && (t.kind == pyOperator || t.kind == pyName)
}

// pyLexer reads tokens one after the other. A copy of it is a place to go back
// to.
type pyLexer struct {
	source   string
	at, line int
	brackets int  // that are open: line ends in them mean nothing
	begun    bool // something stands before at in the same line
}

func (l *pyLexer) peek(n int) byte {
	if l.at+n < len(l.source) {
		return l.source[l.at+n]
	}
	return 0
}

// next returns the next token.
func (l *pyLexer) next() pyToken {
	indent := l.blank()
	token := pyToken{start: l.at, line: l.line, indent: -1}
	if !l.begun {
		token.indent, l.begun = indent, true
	}
	if l.at >= len(l.source) {
		token.end = l.at
		return token
	}
	c := l.source[l.at]
	switch {
	case c == '\n':
		l.at++
		l.line++
		l.begun = false
		token.kind, token.indent = pyNewline, -1
	case c == '"' || c == '\'':
		l.quoted(&token)
		return token
	case pyNameByte(c) && !isDigit(c):
		l.name()
		token.kind, token.text = pyName, l.source[token.start:l.at]
		if quote := l.peek(0); (quote == '"' || quote == '\'') && isStringPrefix(token.text) {
			token.prefix = strings.ToLower(token.text)
			l.quoted(&token)
			return token
		}
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		for l.at < len(l.source) && (pyNameByte(l.source[l.at]) || l.source[l.at] == '.') {
			l.at++
		}
		token.kind, token.text = pyNumeric, l.source[token.start:l.at]
	case c == '$' || c == '`':
		l.expansion(c)
		token.kind, token.text = pyName, l.source[token.start:l.at]
	default:
		l.operator()
		token.kind, token.text = pyOperator, l.source[token.start:l.at]
	}
	token.end = l.at
	return token
}

// maxReplacement is the length of what is between the braces of an f-string.
const maxReplacement = 1000

// blank skips what separates tokens, and empty lines as a whole. It returns
// how far the first line with something on it is indented.
func (l *pyLexer) blank() (indent int) {
	for l.at < len(l.source) {
		switch c := l.source[l.at]; {
		case c == ' ' || c == '\f' || c == '\r':
			indent++
		case c == '\t':
			indent += 8 - indent%8
		case c == '\\' && l.peek(1) == '\n':
			l.at++
			l.line++
		case c == '\\' && l.peek(1) == '\r' && l.peek(2) == '\n':
			l.at += 2
			l.line++
		case c == '#':
			if end := strings.IndexByte(l.source[l.at:], '\n'); end >= 0 {
				l.at += end - 1
			} else {
				l.at = len(l.source) - 1
			}
		case c == '\n' && (l.brackets > 0 || !l.begun):
			l.line++
			indent = 0
		default:
			return indent
		}
		l.at++
	}
	return indent
}

func (l *pyLexer) name() {
	for l.at < len(l.source) && pyNameByte(l.source[l.at]) {
		l.at++
	}
}

// expansion skips what a shell puts in: "$x", "${x}", "$(x)" and "`x`". It
// stands for something that isn't known.
func (l *pyLexer) expansion(c byte) {
	l.at++
	next := l.peek(0)
	closing := map[byte]byte{'{': '}', '(': ')'}[next]
	switch {
	case c == '`':
		closing, next = '`', 0
	case closing != 0:
		l.at++
	default:
		l.name()
		return
	}
	for depth := 1; l.at < len(l.source) && l.source[l.at] != '\n'; l.at++ {
		switch l.source[l.at] {
		case closing:
			if depth--; depth == 0 {
				l.at++
				return
			}
		case next:
			depth++
		}
	}
}

// quoted reads a string of which the prefix is read already.
func (l *pyLexer) quoted(token *pyToken) {
	quote := l.source[l.at : l.at+1]
	if strings.HasPrefix(l.source[l.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	l.at += len(quote)
	start := l.at
	token.kind, token.text = pyString, ""
	replaces := strings.ContainsAny(token.prefix, "ft")
	for l.at < len(l.source) {
		c := l.source[l.at]
		switch {
		case c == '\\' && l.at+1 < len(l.source):
			l.at++
			if l.source[l.at] == '\n' {
				l.line++
			}
		case c == '\n' && len(quote) == 1:
			// It isn't closed: nothing of the program is valid.
			token.text, token.end = l.source[start:l.at], l.at
			return
		case c == '\n':
			l.line++
		case c == '{' && replaces && l.peek(1) == '{':
			l.at++
		case c == '{' && replaces:
			if end := replacementEnd(l.source, l.at, len(quote) == 3); end >= 0 {
				l.line += strings.Count(l.source[l.at:end], "\n")
				l.at = end
			} else {
				replaces = false
			}
		case strings.HasPrefix(l.source[l.at:], quote):
			token.text = l.source[start:l.at]
			l.at += len(quote)
			token.end = l.at
			return
		}
		l.at++
	}
	token.text, token.end = l.source[start:], l.at
}

// replacementEnd returns where the "}" for the "{" at the given place of an
// f-string is, or -1. It doesn't look far, so that many that aren't closed take
// no long time.
func replacementEnd(source string, at int, lines bool) int {
	depth := 0
	source = source[:min(len(source), at+maxReplacement)]
	for ; at < len(source); at++ {
		switch c := source[at]; c {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth == 0 {
				return at
			}
		case '\n':
			if !lines {
				return -1
			}
		case '"', '\'':
			end := at + 1
			for end < len(source) && source[end] != c && source[end] != '\n' {
				if source[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(source) || source[end] != c {
				return -1
			}
			at = end
		}
	}
	return -1
}

// pyOperators are those of more than one character, the longest first.
var pyOperators = []string{
	"**=", "//=", ">>=", "<<=", "...",
	"!=", "->", ":=", "==", "<=", ">=", "<>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "**", "//", "<<", ">>",
}

func (l *pyLexer) operator() {
	switch l.source[l.at] {
	case '(', '[', '{':
		l.brackets++
	case ')', ']', '}':
		l.brackets = max(l.brackets-1, 0)
	case '*', '/', '>', '<', '.', '!', '-', ':', '=', '+', '%', '&', '|', '^', '@':
		for _, operator := range pyOperators {
			if strings.HasPrefix(l.source[l.at:], operator) {
				l.at += len(operator)
				return
			}
		}
	}
	l.at++
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func pyNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c >= 0x80
}

func isStringPrefix(name string) bool {
	if len(name) > 2 {
		return false
	}
	for i := range len(name) {
		if !strings.ContainsRune("rRbBuUfFtT", rune(name[i])) {
			return false
		}
	}
	return true
}
