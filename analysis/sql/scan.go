package sql

import (
	"strings"

	sqllexer "github.com/DataDog/go-sqllexer"
)

// scanner takes a text apart. Where strings, quoted names and comments begin and
// end is decided here, because a mistake in that hides statements, and dialects
// differ in it more than the lexer knows. What is between them is the lexer's.
type scanner struct {
	rules
	dialect Dialect
	dbms    sqllexer.DBMSType
	text    string
	dynamic bool // $x and so on are a shell's

	at        int
	from      int // where code begins that hasn't been lexed
	tokens    []token
	executed  int    // comments of MySQL open, in which there is code
	delimiter string // set by DELIMITER; "" for ;
	lineEnd   bool   // the statement ends with the line
	unclosed  bool   // a $( or ${ is never closed
	broken    bool   // the text ends within a quotation or a comment
}

func scan(text string, dialect Dialect, dynamic bool) *scanner {
	s := &scanner{rules: dialectRules()[dialect], dialect: dialect, text: text, dynamic: dynamic}
	s.dbms = map[Dialect]sqllexer.DBMSType{SQLServer: sqllexer.DBMSSQLServer, Oracle: sqllexer.DBMSOracle}[dialect]
	s.tokens = make([]token, 0, 8+len(text)/6)
	for s.at < len(text) {
		s.step()
	}
	s.flush(s.at)
	return s
}

func (s *scanner) add(t token) { s.tokens = append(s.tokens, t) }

// flush lexes the code up to the given place, and goes on behind it.
func (s *scanner) flush(to int) {
	s.code(s.from, to)
	s.from = to
}

// put adds a token for the text up to end.
func (s *scanner) put(t token, end int) {
	s.flush(s.at)
	t.at = s.at
	s.add(t)
	s.at, s.from = end, end
}

// skip goes on at end; what is between means nothing.
func (s *scanner) skip(end int) {
	s.flush(s.at)
	s.at, s.from = end, end
}

func (s *scanner) next(n int) byte {
	if s.at+n < len(s.text) {
		return s.text[s.at+n]
	}
	return 0
}

// step reads on by one byte of code, or by what begins at it.
func (s *scanner) step() {
	if (s.at == 0 || s.text[s.at-1] == '\n') && s.line() {
		return
	}
	if s.delimiter != "" && strings.HasPrefix(s.text[s.at:], s.delimiter) {
		s.put(token{kind: batch}, s.at+len(s.delimiter))
		return
	}
	switch c := s.text[s.at]; {
	case c == 0:
		s.skip(s.at + 1) // the lexer would take it for the end
	case c == '\n' && s.lineEnd:
		s.lineEnd = false
		s.put(token{kind: end}, s.at+1)
	case c == '\'':
		s.quotation()
	case c == '"':
		s.double()
	case c == '`' && (s.backquote || s.dynamic):
		s.name('`', s.backslash)
	case c == '[' && s.bracket:
		s.name(']', false)
	case c == '$':
		s.dollars()
	case c == '{':
		s.brace()
	case c == '\\' && s.backslashed():
	case s.comment(c):
	default:
		s.at++
	}
}

// comment skips the comment that begins here, if one does.
func (s *scanner) comment(c byte) bool {
	switch d := s.next(1); {
	case c == '-' && d == '-':
		if s.spaced && s.at+2 < len(s.text) && !blank(s.next(2)) {
			// Two signs, which the lexer must not see together.
			s.put(token{kind: mark, text: "-"}, s.at+1)
			s.put(token{kind: mark, text: "-"}, s.at+1)
			return true
		}
		s.skip(s.endOfLine())
	case c == '#' && s.hash, c == '/' && d == '/' && s.slashes:
		s.skip(s.endOfLine())
	case c == '/' && d == '*':
		s.block()
	case c == '*' && d == '/' && s.executed > 0:
		s.executed--
		s.skip(s.at + 2)
	default:
		return false
	}
	return true
}

// block skips a comment in /* and */, or in MySQL only the marks around code.
func (s *scanner) block() {
	if s.executable {
		rest := strings.TrimPrefix(s.text[s.at+2:], "M")
		if strings.HasPrefix(rest, "!") {
			s.executed++
			s.skip(len(s.text) - len(strings.TrimLeft(rest[1:], "0123456789")))
			return
		}
	}
	depth, i := 1, s.at+2
	for depth > 0 {
		n := strings.IndexByte(s.text[i:], '/')
		if n < 0 {
			s.broken = true
			i = len(s.text)
			break
		}
		i += n + 1
		switch {
		case i-2 >= s.at+2 && s.text[i-2] == '*':
			depth--
		case s.nested && i < len(s.text) && s.text[i] == '*':
			depth++
			i++
		}
	}
	s.skip(i)
}

func (s *scanner) endOfLine() int {
	if n := strings.IndexByte(s.text[s.at:], '\n'); n >= 0 {
		return s.at + n
	}
	return len(s.text)
}
