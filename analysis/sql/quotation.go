package sql

import (
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/wordlist"
)

// stringPrefixes are the letters before a string that belong to it.
const stringPrefixes = "E N B X R RB BR Q NQ U& _UTF8 _UTF8MB4 _BINARY _LATIN1"

// prefix returns the letters that stand directly before the quotation that
// begins here.
func (s *scanner) prefix() string {
	start := s.at
	for start > s.from && s.at-start < 9 && (nameByte(s.text[start-1]) || s.text[start-1] == '&') {
		start--
	}
	letters := strings.ToUpper(s.text[start:s.at])
	if letters == "" || !wordlist.Has(stringPrefixes, letters) || start > s.from && nameByte(s.text[start-1]) {
		return ""
	}
	return letters
}

func nameByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// quotation reads a string in single quotes.
func (s *scanner) quotation() {
	prefix := s.prefix()
	s.flush(s.at - len(prefix))
	s.from = s.at
	escapes := s.backslash || prefix == "E"
	switch {
	case s.oracle && strings.HasSuffix(prefix, "Q"):
		s.oracleQuote()
	case s.raw && strings.HasPrefix(s.text[s.at:], "'''"):
		s.triple("'''")
	case s.raw && strings.Contains(prefix, "R"):
		s.quotedToken(literal, '\'', false)
	default:
		s.quotedToken(literal, '\'', escapes)
	}
}

// double reads what stands in double quotes.
func (s *scanner) double() {
	switch {
	case s.raw && strings.HasPrefix(s.text[s.at:], `"""`):
		s.triple(`"""`)
	case s.doubleText:
		s.quotedToken(literal, '"', s.backslash)
	default:
		s.name('"', s.backslash && s.dialect != Snowflake)
	}
}

func (s *scanner) name(closing byte, escapes bool) { s.quotedToken(quoted, closing, escapes) }

// quotedToken adds a token for what is between quotes, of which two stand for one.
func (s *scanner) quotedToken(k kind, closing byte, escapes bool) {
	start, i := s.at+1, s.at+1
	special := string([]byte{closing})
	if escapes {
		special += `\`
	}
	plain := true
	for {
		n := strings.IndexAny(s.text[i:], special)
		if n < 0 {
			s.broken = true
			i = len(s.text)
			break
		}
		if i += n; s.text[i] == closing && (i+1 == len(s.text) || s.text[i+1] != closing) {
			break
		}
		plain = false
		if i += 2; i > len(s.text) {
			i = len(s.text)
		}
	}
	text := s.text[start:i]
	t := token{kind: k, text: text, dynamic: s.dynamic && (strings.ContainsAny(text, "$`") || closing == '`')}
	if !plain {
		t.text = unescape(text, closing, escapes)
	}
	s.putToken(t, min(i+1, len(s.text)))
}

// unescape resolves doubled quotes and escapes. Which character an escape stands
// for only matters where it spells SQL, and there are few for that.
func unescape(text string, closing byte, escapes bool) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if i+1 < len(text) && (c == closing || c == '\\' && escapes) {
			i++
			if c == '\\' {
				c = escaped(text[i])
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

func escaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	}
	return c
}

// oracleQuote reads Oracle's q'[...]'.
func (s *scanner) oracleQuote() {
	opening := s.next(1)
	closing := opening
	if n := strings.IndexByte("[{(<", opening); n >= 0 && opening != 0 {
		closing = "]})>"[n]
	}
	s.until(min(s.at+2, len(s.text)), string([]byte{closing, '\''}), false)
}

func (s *scanner) triple(quotes string) { s.until(s.at+3, quotes, false) }

// until adds a string that begins at start and ends before closing.
func (s *scanner) until(start int, closing string, dollar bool) {
	n := strings.Index(s.text[start:], closing)
	stop, after := start+n, start+n+len(closing)
	if n < 0 {
		s.broken = true
		stop, after = len(s.text), len(s.text)
	}
	text := s.text[start:stop]
	s.putToken(token{kind: literal, text: text, dollar: dollar, dynamic: s.dynamic && strings.ContainsAny(text, "$`")}, after)
}

// dollarSign reads a string in dollar quotes, a numbered parameter, a variable of a
// shell or a template, or a dollar sign in a name.
func (s *scanner) dollarSign() {
	next := s.next(1)
	if !s.dynamic && s.at > s.from && nameByte(s.text[s.at-1]) {
		s.at++ // v$session
		return
	}
	if next == '(' || next == '{' {
		after := s.bracketed()
		s.putToken(token{kind: unknownPart, dynamic: true, text: s.text[s.at:after]}, after)
		return
	}
	i := s.at + 1
	for i < len(s.text) && nameByte(s.text[i]) && s.text[i] != '$' {
		i++
	}
	switch digit := next >= '0' && next <= '9'; {
	case s.dollar && !digit && i < len(s.text) && s.text[i] == '$' && !(s.dynamic && i > s.at+1):
		s.until(i+1, s.text[s.at:i+1], true)
	case digit && !s.dynamic:
		s.putToken(token{kind: parameter, text: s.text[s.at:i]}, i)
	case i > s.at+1:
		s.putToken(token{kind: unknownPart, dynamic: true, text: s.text[s.at:i]}, i)
	case s.dynamic && next != 0 && strings.IndexByte("@*#?!-$", next) >= 0:
		s.putToken(token{kind: unknownPart, dynamic: true, text: s.text[s.at : s.at+2]}, s.at+2)
	default:
		s.skip(s.at + 1)
	}
}

// bracketed returns where $(...) or ${...} ends.
func (s *scanner) bracketed() int {
	depth := 0
	if s.unclosed {
		return s.at + 2
	}
	for i := s.at + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	s.unclosed = true // one look to the end is enough
	return s.at + 2   // it hides nothing
}

// maxPlaceholder is how long what stands in the braces of a template may be.
const maxPlaceholder = 100

// templateHole reads a placeholder of a template: {name}, {{ name }} or {name:Type}.
func (s *scanner) templateHole() {
	rest := s.text[s.at:min(s.at+maxPlaceholder, len(s.text))]
	if n := strings.Index(rest, "}}"); strings.HasPrefix(rest, "{{") && n > 0 {
		s.putToken(token{kind: unknownPart, dynamic: true, text: rest[:n+2]}, s.at+n+2)
		return
	}
	if n := strings.IndexByte(rest, '}'); n > 0 && !strings.ContainsAny(rest[1:n], " \t\n;'\"{") {
		s.putToken(token{kind: unknownPart, dynamic: true, text: rest[:n+1]}, s.at+n+1)
		return
	}
	s.putToken(token{kind: mark, text: "{"}, s.at+1)
}

// rules says how a dialect quotes and comments. The rest of the syntax is read
// alike for all of them.
type rules struct {
	backslash  bool // escapes in every string, not only in E'...'
	doubleText bool // "..." is a string
	backquote  bool // `...` is an identifier
	bracket    bool // [...] is an identifier
	hash       bool // # begins a comment
	slashes    bool // // begins a comment
	spaced     bool // -- begins a comment only before a blank
	nested     bool // /* /* */ */
	executable bool // /*! ... */ is code
	dollar     bool // $tag$ ... $tag$ is a string
	oracle     bool // q'[...]'
	raw        bool // r'...', and strings in triple quotes
	client     client
}

// client is whose commands may stand between the statements.
type client int

const (
	anyClient client = iota
	psql
	mysql
	sqlite
	sqlcmd
	sqlplus
	noClient
)

var dialectRules = sync.OnceValue(func() map[Dialect]rules {
	return map[Dialect]rules{
		// As of no single one, for texts that all of them read alike.
		Unknown:    {backquote: true, nested: true, dollar: true},
		BigQuery:   {backslash: true, doubleText: true, backquote: true, hash: true, raw: true, client: noClient},
		ClickHouse: {backslash: true, backquote: true, hash: true, dollar: true},
		DuckDB:     {nested: true, dollar: true, client: sqlite},
		MySQL:      {backslash: true, doubleText: true, backquote: true, hash: true, spaced: true, executable: true, client: mysql},
		Oracle:     {oracle: true, client: sqlplus},
		Postgres:   {nested: true, dollar: true, client: psql},
		Snowflake:  {backslash: true, slashes: true, dollar: true, client: noClient},
		SQLite:     {backquote: true, bracket: true, client: sqlite},
		SQLServer:  {bracket: true, nested: true, client: sqlcmd},
	}
})

// dialects returns those by whose rules a text is to be read. Of an unknown
// dialect, the text itself says where it makes a difference.
func dialects(text string, dialect Dialect) []Dialect {
	if _, known := dialectRules()[dialect]; dialect != Unknown && known {
		return []Dialect{dialect}
	}
	all := []Dialect{Unknown}
	if strings.ContainsAny(text, `\#`) || strings.Contains(text, "/*") || dashes(text) {
		all = append(all, MySQL)
	}
	if strings.Contains(text, "[") {
		all = append(all, SQLServer)
	}
	return all
}

// dashes reports whether a "--" isn't a comment to MySQL.
func dashes(text string) bool {
	for i := 0; ; i += 2 {
		n := strings.Index(text[i:], "--")
		if n < 0 {
			return false
		}
		if i += n; i+2 < len(text) && !blank(text[i+2]) {
			return true
		}
	}
}

func blank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
