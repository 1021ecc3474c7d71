package sql

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/luahook/luahook/internal/wordlist"
)

// scanner takes a text apart. It goes from one string, quoted name or comment to the
// next, because a mistake in where they begin and end hides statements, and lexes the
// code between them when it has passed it.
type scanner struct {
	rules
	dialect Dialect
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
		s.skip(s.at + 1)
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
			// Two signs, not one operator.
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
	return text != "" && (t.kind == word || t.kind == mark) && wordlist.Has(words, text)
}

// code adds the tokens of a part of the text that has neither strings nor quoted
// names nor comments in it.
func (s *scanner) code(from, to int) {
	for code := s.text[:to]; from < to; {
		from = s.lex(code, from)
	}
}

// lex adds what begins in the code at i, and returns where it ends. A sign belongs
// to the number behind it.
func (s *scanner) lex(code string, i int) int {
	k, after := mark, i+1
	switch c := code[i]; {
	case blank(c):
		return after
	case c == ';':
		s.add(token{kind: end, at: i})
		return after
	case letter(code[i:]), s.dialect == SQLServer && (c == '#' || c == '$' && letter(code[after:])):
		return s.words(code, i)
	case digit(code[i:]), (c == '+' || c == '-') && (digit(code[after:]) || strings.HasPrefix(code[after:], ".")):
		k, after = number, numberEnd(code, i)
	case c == '$' && digit(code[after:]):
		k, after = parameter, span(code, after, "0123456789")
	case (c == '@' || c == ':' && s.dialect == Oracle) && alphanumeric(code[after:]):
		k, after = parameter, parameterEnd(code, after)
	case c == '@' && strings.HasPrefix(code[after:], "@") && alphanumeric(code[after+1:]):
		k, after = parameter, parameterEnd(code, after+1)
	case c != '*' && strings.IndexByte(operators, c) >= 0:
		after = operatorEnd(code, i)
	case c >= utf8.RuneSelf:
		_, size := utf8.DecodeRuneInString(code[i:])
		after = i + size
	}
	s.add(token{kind: k, text: code[i:after], at: i})
	return after
}

// words adds a name with its parts and what stands between them, and returns where it
// ends. A part behind a dot may begin with a digit, as in db.2024_log.
func (s *scanner) words(code string, start int) int {
	for i := start; ; {
		after := wordEnd(code, i)
		upper := strings.ToUpper(code[i:after])
		if after > i {
			s.add(token{kind: word, text: code[i:after], upper: upper, at: i})
		}
		if after == len(code) || strings.IndexByte(".!?/", code[after]) < 0 || i == start && code[after] == '.' && wordlist.Has(unqualified, upper) {
			return after
		}
		s.add(token{kind: mark, text: code[after : after+1], at: after})
		i = after + 1
	}
}

// unqualified are words that are no names: a dot behind one begins a number, and in
// AND.5DROP TABLE x there is a DROP.
const unqualified = reserved + " ADD ALL ANALYZE ANY ASC ASSERTION BEGIN CHECK CLONE CLUSTER COLUMN COMMIT CONSTRAINT COPY CUBE DATABASE DECLARE DEFAULT DESC DISTINCT DOMAIN END ESCAPE EXEC EXECUTE " +
	"EXPLAIN FALSE FOREIGN GRANT ILIKE INDEX INNER KEY LATERAL LEFT LITERAL MERGE OFFSET OUT OUTER PLPGSQL PRIMARY PROC PROCEDURE RECURSIVE REPLACE RETURNS REVOKE RIGHT ROLLBACK ROLLUP ROWNUM " +
	"SKIP SOME STRAIGHT_JOIN TEMPORARY TOP TRIGGER TRUE TRUNCATE UNIQUE UNLOGGED USE VACUUM VIEW WINDOW"

// wordEnd returns where the word at i ends, which may be there.
func wordEnd(code string, i int) int {
	for i < len(code) {
		switch c := code[i]; {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(code[i:])
			if !unicode.IsLetter(r) {
				return i
			}
			i += size
		case nameByte(c) || c == '#' || c == '@':
			i++
		default:
			return i
		}
	}
	return i
}

// numberEnd returns where the number at i ends.
func numberEnd(code string, i int) int {
	switch rest := code[i+1:]; {
	case code[i] != '0' || rest == "":
	case rest[0] == 'x' || rest[0] == 'X':
		return span(code, i+2, "0123456789abcdefABCDEF")
	case rest[0] >= '0' && rest[0] <= '7':
		return span(code, i+2, "01234567")
	}
	for {
		i = span(code, i+1, "0123456789.")
		if i == len(code) || code[i] != 'e' && code[i] != 'E' {
			return i
		}
		if i+1 < len(code) && (code[i+1] == '+' || code[i+1] == '-') {
			i++
		}
	}
}

// parameterEnd returns where the name of a parameter at i ends. A letter beyond ASCII
// isn't read to its end, so that a word behind it is one of its own.
func parameterEnd(code string, i int) int {
	for alphanumeric(code[i:]) {
		i++
	}
	return i
}

// span returns where the bytes of a set end that stand at i.
func span(code string, i int, set string) int {
	return len(code) - len(strings.TrimLeft(code[i:], set))
}

const operators = "+-*/=<>!&|^%~?@:#"

// operatorEnd returns where the operator at i ends.
func operatorEnd(code string, i int) int {
	for _, whole := range [...]string{"->>", "->", "#>>", "#>", "#-", "?|", "?&", "<@", "@@", "@?", "@>"} {
		if strings.HasPrefix(code[i:], whole) {
			return i + len(whole)
		}
	}
	for i++; i < len(code) && strings.IndexByte(operators, code[i]) >= 0; i++ {
		if code[i-1] == '=' && (code[i] == '?' || code[i] == '@') {
			break // a parameter
		}
	}
	return i
}

// letter reports whether text begins with a letter or an underscore.
func letter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r == '_' || unicode.IsLetter(r)
}

// digit reports whether text begins with a digit of ASCII.
func digit(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }

// alphanumeric reports whether text begins as letter says or with a number.
func alphanumeric(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return letter(text) || unicode.IsNumber(r)
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
