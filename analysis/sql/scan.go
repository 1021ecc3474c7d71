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

// putToken adds a token for the text up to end.
func (s *scanner) putToken(t token, end int) {
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
	if (s.at == 0 || s.text[s.at-1] == '\n') && s.clientLine() {
		return
	}
	if s.delimiter != "" && strings.HasPrefix(s.text[s.at:], s.delimiter) {
		s.putToken(token{kind: batch}, s.at+len(s.delimiter))
		return
	}
	switch c := s.text[s.at]; {
	case c == 0:
		s.skip(s.at + 1) // the lexer would take it for the end
	case c == '\n' && s.lineEnd:
		s.lineEnd = false
		s.putToken(token{kind: end}, s.at+1)
	case c == '\'':
		s.quotation()
	case c == '"':
		s.double()
	case c == '`' && (s.backquote || s.dynamic):
		s.name('`', s.backslash)
	case c == '[' && s.bracket:
		s.name(']', false)
	case c == '$':
		s.dollarSign()
	case c == '{':
		s.templateHole()
	case c == '\\' && s.backslashCommand():
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
			s.putToken(token{kind: mark, text: "-"}, s.at+1)
			s.putToken(token{kind: mark, text: "-"}, s.at+1)
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

// kind is what a token is.
type kind uint8

const (
	mark    kind = iota // an operator or a punctuation mark
	word                // a keyword or a name without quotes
	quoted              // a name in quotes
	literal             // a string
	number
	parameter   // ?, $1, :x, @x
	unknownPart // a part that isn't known, as $x in a text from a shell
	end         // ; or another end of a statement
	batch       // the end of a batch: GO, / or the delimiter set by DELIMITER
)

// token is a part of a text that means something.
type token struct {
	kind    kind
	dynamic bool   // a part of it isn't known
	dollar  bool   // a string in dollar quotes
	text    string // without quotes
	upper   string // of a word, in upper case
	at      int
}

// is reports whether t is one of the blank-separated words or marks.
func (t *token) is(words string) bool {
	text := t.upper
	if t.kind == mark {
		text = t.text
	}
	return text != "" && (t.kind == word || t.kind == mark) && listed(words, text)
}

// listed reports whether name is one of the blank-separated names.
func listed(names, name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		n := strings.Index(names[from:], name)
		if n < 0 {
			return false
		}
		start, after := from+n, from+n+len(name)
		if (start == 0 || names[start-1] == ' ') && (after == len(names) || names[after] == ' ') {
			return true
		}
		from = after
	}
}

// code adds the tokens of a part of the text that has neither strings nor quoted
// names nor comments in it.
func (s *scanner) code(from, to int) {
	for from < to && blank(s.text[from]) {
		from++
	}
	if from == to {
		return
	}
	lexer := sqllexer.New(s.text[from:to], sqllexer.WithDBMS(s.dbms))
	for {
		t := lexer.Scan()
		if t.Type == sqllexer.EOF || t.Value == "" {
			return
		}
		s.lexed(t, from)
		from += len(t.Value)
	}
}

// lexed adds a token of the lexer.
func (s *scanner) lexed(t *sqllexer.Token, at int) {
	switch t.Type {
	case sqllexer.SPACE, sqllexer.COMMENT, sqllexer.MULTILINE_COMMENT:
	case sqllexer.NUMBER:
		s.add(token{kind: number, text: t.Value, at: at})
	case sqllexer.POSITIONAL_PARAMETER, sqllexer.BIND_PARAMETER, sqllexer.SYSTEM_VARIABLE:
		s.add(token{kind: parameter, text: t.Value, at: at})
	case sqllexer.PUNCTUATION:
		t := token{kind: mark, text: t.Value, at: at}
		if t.text == ";" {
			t = token{kind: end, at: at}
		}
		s.add(t)
	case sqllexer.OPERATOR, sqllexer.WILDCARD, sqllexer.JSON_OP, sqllexer.UNKNOWN, sqllexer.ERROR:
		s.add(token{kind: mark, text: t.Value, at: at})
	default:
		s.words(t.Value, at)
	}
}

// words adds what the lexer takes for one word: it leaves dots, and operators
// that some dialect has in names, inside.
func (s *scanner) words(text string, at int) {
	for text != "" {
		n := strings.IndexAny(text, ".!?/")
		if n < 0 {
			n = len(text)
		}
		if n > 0 {
			s.add(token{kind: word, text: text[:n], upper: strings.ToUpper(text[:n]), at: at})
		}
		if n < len(text) {
			s.add(token{kind: mark, text: text[n : n+1], at: at + n})
			n++
		}
		text, at = text[n:], at+n
	}
}

// isClient reports whether commands of that client may stand in the text.
func (s *scanner) isClient(c client) bool { return s.client == c || s.client == anyClient }

// atStatementStart reports whether a statement could begin here.
func (s *scanner) atStatementStart() bool {
	s.flush(s.at)
	if len(s.tokens) == 0 {
		return true
	}
	last := s.tokens[len(s.tokens)-1].kind
	return last == end || last == batch
}

// clientLine obeys a command of a client that takes a line of its own.
func (s *scanner) clientLine() bool {
	c := s.text[s.at]
	if c != '/' && c != '.' && c != ':' && c != '!' && c != '@' && !nameByte(c) && !blank(c) {
		return false
	}
	whole := s.text[s.at:s.endOfLine()]
	line := strings.TrimSpace(whole)
	first, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "":
		return false
	case s.isClient(sqlplus) && line == "/", s.isClient(sqlcmd) && strings.EqualFold(first, "go") && digits(strings.TrimSpace(rest)):
		s.putToken(token{kind: batch}, s.at+len(whole))
	case len(first) == len("delimiter") && strings.EqualFold(first, "delimiter") && s.isClient(mysql) && s.atStatementStart():
		s.setDelimiter(strings.TrimSpace(rest))
		s.skip(s.at + len(whole))
	case s.isClient(sqlite) && c == '.' && s.atStatementStart() && !digits(line[1:min(2, len(line))]):
		s.dotCommand(line, s.at+len(whole))
	case s.client == sqlcmd && (c == ':' || strings.HasPrefix(line, "!!")) && s.atStatementStart(),
		s.client == mysql && (strings.EqualFold(first, "source") || strings.EqualFold(first, "system")) && s.atStatementStart(),
		s.client == sqlplus && (c == '!' || c == '@' || strings.EqualFold(first, "host") || strings.EqualFold(first, "prompt")) && s.atStatementStart():
		s.skip(s.at + len(whole))
	default:
		return false
	}
	return true
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func (s *scanner) setDelimiter(d string) {
	if d, _, _ = strings.Cut(d, " "); d != "" && len(d) <= 16 && !strings.ContainsAny(d, `'"\`) {
		s.delimiter = strings.Trim(d, ";")
	}
}

// dotCommand obeys a command of sqlite3 or duckdb.
func (s *scanner) dotCommand(line string, after int) {
	fields := strings.Fields(line)
	at := s.at
	s.skip(after)
	if name := fields[0]; len(name) > 3 && strings.HasPrefix(".restore", name) {
		for _, upper := range []string{"RESTORE", "DATABASE"} {
			s.add(token{kind: word, text: upper, upper: upper, at: at})
		}
		s.add(token{kind: end, at: at})
	}
}

// backslashCommand obeys a command that begins with a backslash, where there are any.
func (s *scanner) backslashCommand() bool {
	letters := 0
	for letters < 16 && s.at+1+letters < len(s.text) && (nameByte(s.next(1+letters)) || letters == 0) {
		letters++
	}
	name := s.text[s.at+1 : s.at+1+letters]
	after := s.at + 1 + letters
	switch s.client {
	case psql:
		s.meta(name, after)
	case mysql, anyClient:
		s.short(name)
	default:
		return false
	}
	return true
}

// meta obeys a command of psql, which reaches to the end of the line or to the
// next backslash, and always to the end of the line if it is for a shell.
func (s *scanner) meta(name string, after int) {
	stop := s.endOfLine()
	rest := s.text[min(after, stop):stop]
	if name != "!" && !strings.HasPrefix(strings.TrimLeft(rest, " \t"), "|") {
		stop = after + nextCommand(rest)
	}
	switch name {
	case ";":
		s.putToken(token{kind: end}, after)
	case "copy":
		s.putToken(token{kind: word, text: "COPY", upper: "COPY"}, after)
		s.lineEnd = true
	case "gexec": // runs what the query gives
		s.putToken(token{kind: end}, stop)
		s.add(token{kind: unknownPart, dynamic: true, text: `\gexec`, at: after})
		s.add(token{kind: end, at: after})
	case "g", "gx", "gset", "gdesc", "crosstabview", "watch", "bind", "parse":
		s.putToken(token{kind: end}, stop)
	default:
		s.skip(stop)
	}
}

// nextCommand returns where in the rest of a line another command of psql begins,
// or behind the \\ where statements go on.
func nextCommand(rest string) int {
	inQuotes := false
	for n := range len(rest) {
		switch {
		case rest[n] == '\'':
			inQuotes = !inQuotes
		case inQuotes || rest[n] != '\\':
		case strings.HasPrefix(rest[n:], `\\`):
			return n + 2
		default:
			return n
		}
	}
	return len(rest)
}

// short obeys a command of mysql: one character, for some with the rest of the
// line. Of an unknown client, only that the statement ends is taken from it.
func (s *scanner) short(name string) {
	switch {
	case name == "":
		s.skip(s.at + 1)
	case name == "gexec" && s.client == anyClient:
		s.meta(name, s.at+1+len(name))
	case s.client == mysql && strings.IndexByte("!.uT#R", name[0]) >= 0:
		s.skip(s.endOfLine())
	case s.client == mysql && name[0] == 'd':
		after := s.endOfLine()
		s.setDelimiter(strings.TrimSpace(s.text[s.at+2 : after]))
		s.skip(after)
	default:
		s.putToken(token{kind: end}, s.at+2)
	}
}
