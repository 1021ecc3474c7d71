package script

import (
	"strconv"
	"strings"
)

// awkTokenKind is the kind of a token of awk.
type awkTokenKind uint8

const (
	awkEnd awkTokenKind = iota
	awkNewline
	awkName
	awkFunction // a name with "(" right behind it
	awkNumber
	awkString // text is the value
	awkRegexp
	awkOperator
)

type awkToken struct {
	kind       awkTokenKind
	text       string
	start, end int
	line       int
}

func (t *awkToken) is(text string) bool {
	return t.text == text && (t.kind == awkOperator || t.kind == awkName || t.kind == awkFunction)
}

// operand reports whether an operand may end with t, so that "/" divides it.
func (t *awkToken) operand() bool {
	switch t.kind {
	case awkName, awkFunction:
		return !awkWords()[t.text]
	case awkNumber, awkString, awkRegexp:
		return true
	}
	return t.kind == awkOperator && strings.Contains(") ] $ ++ --", t.text)
}

// awkWords are the names that aren't variables.
var awkWords = wordSet("BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete in getline print printf switch case default")

// awkBuiltins are the functions that may have blanks before their parenthesis.
var awkBuiltins = wordSet("system sprintf split sub gsub tolower toupper match patsplit asort asorti")

// awkOperators are those of more than one character, the longest first.
var awkOperators = []string{
	"**=", ">>", "|&", "&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", "!~",
}

// awkLexer reads tokens one after the other.
type awkLexer struct {
	source   string
	at, line int
	last     awkToken
	failed   int // looks for the end of a regular expression that has none
}

// awkMaxFailed bounds the looks, each of which may go over all of a line.
const awkMaxFailed = 50

func (l *awkLexer) next() awkToken {
	l.last = l.read()
	return l.last
}

func (l *awkLexer) peek(n int) byte {
	if l.at+n < len(l.source) {
		return l.source[l.at+n]
	}
	return 0
}

// blank skips what separates tokens.
func (l *awkLexer) blank() {
	for ; l.at < len(l.source); l.at++ {
		switch c := l.source[l.at]; {
		case c == ' ', c == '\t', c == '\r':
		case c == '\\' && l.peek(1) == '\n':
			l.at++
			l.line++
		case c == '#':
			for l.at+1 < len(l.source) && l.source[l.at+1] != '\n' {
				l.at++
			}
		default:
			return
		}
	}
}

func (l *awkLexer) read() awkToken {
	l.blank()
	token := awkToken{start: l.at, line: l.line}
	if l.at >= len(l.source) {
		token.end = l.at
		return token
	}
	c := l.source[l.at]
	switch {
	case c == '\n':
		l.at++
		l.line++
		token.kind = awkNewline
	case c == '"':
		token.kind, token.text = awkString, l.quoted()
	case c == '/' && !l.last.operand() && l.regexp():
		token.kind, token.text = awkRegexp, l.source[token.start:l.at]
	case pyNameByte(c) && !isDigit(c):
		for l.at < len(l.source) && pyNameByte(l.source[l.at]) {
			l.at++
		}
		token.kind, token.text = awkName, l.source[token.start:l.at]
		if l.peek(0) == '(' && !awkWords()[token.text] || awkBuiltins()[token.text] && strings.HasPrefix(strings.TrimLeft(l.source[l.at:min(len(l.source), l.at+100)], " \t"), "(") {
			token.kind = awkFunction
		}
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		for l.at < len(l.source) && (pyNameByte(l.source[l.at]) || l.source[l.at] == '.') {
			l.at++
		}
		token.kind, token.text = awkNumber, l.source[token.start:l.at]
	default:
		l.at++
		for _, operator := range awkOperators {
			if strings.IndexByte("(){}[];,?:$", c) >= 0 {
				break
			}
			if strings.HasPrefix(l.source[token.start:], operator) {
				l.at = token.start + len(operator)
				break
			}
		}
		token.kind, token.text = awkOperator, l.source[token.start:l.at]
	}
	token.end = l.at
	return token
}

// regexp skips a regular expression, if there is one.
func (l *awkLexer) regexp() bool {
	if l.failed > awkMaxFailed {
		return false
	}
	inList := false
	for at := l.at + 1; at < len(l.source) && l.source[at] != '\n'; at++ {
		switch l.source[at] {
		case '\\':
			at++
		case '[':
			if !inList {
				inList = true
				if at+1 < len(l.source) && l.source[at+1] == '^' {
					at++
				}
				if at+1 < len(l.source) && l.source[at+1] == ']' {
					at++
				}
			}
		case ']':
			inList = false
		case '/':
			if !inList {
				l.at = at + 1
				return true
			}
		}
	}
	l.failed++
	return false
}

// quoted reads a string and returns its value.
func (l *awkLexer) quoted() string {
	var b strings.Builder
	l.at++
	for l.at < len(l.source) {
		c := l.source[l.at]
		l.at++
		switch {
		case c == '"':
			return b.String()
		case c == '\n': // it isn't closed
			l.at--
			return b.String()
		case c == '\\' && l.at < len(l.source):
			l.escape(&b)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escape reads what follows a backslash.
func (l *awkLexer) escape(b *strings.Builder) {
	c := l.source[l.at]
	from, base, digits := l.at+1, 16, 0
	switch {
	case c == '\n':
		l.line++
		l.at++
		return
	case c == 'x':
		digits = 2
	case c >= '0' && c <= '7':
		from, base, digits = l.at, 8, 3
	case c == '/':
		b.WriteByte(c)
		l.at++
		return
	default:
		l.at++
		if simple, ok := pySimpleEscapes()[c]; ok && c != '\'' {
			b.WriteString(simple)
		} else {
			b.WriteByte('\\')
			b.WriteByte(c)
		}
		return
	}
	end := from
	for end < len(l.source) && end < from+digits && isDigitOf(l.source[end], base) {
		end++
	}
	number, err := strconv.ParseUint(l.source[from:end], base, 16)
	if err != nil {
		b.WriteByte('\\')
		b.WriteByte(c)
		l.at++
		return
	}
	b.WriteByte(byte(number))
	l.at = end
}
