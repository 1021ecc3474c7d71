package sql

import "strings"

// has reports whether commands of that client may stand in the text.
func (s *scanner) has(c client) bool { return s.client == c || s.client == anyClient }

// fresh reports whether a statement could begin here.
func (s *scanner) fresh() bool {
	s.flush(s.at)
	if len(s.tokens) == 0 {
		return true
	}
	last := s.tokens[len(s.tokens)-1].kind
	return last == end || last == batch
}

// line obeys a command of a client that takes a line of its own.
func (s *scanner) line() bool {
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
	case s.has(sqlplus) && line == "/", s.has(sqlcmd) && strings.EqualFold(first, "go") && digits(strings.TrimSpace(rest)):
		s.put(token{kind: batch}, s.at+len(whole))
	case len(first) == len("delimiter") && strings.EqualFold(first, "delimiter") && s.has(mysql) && s.fresh():
		s.setDelimiter(strings.TrimSpace(rest))
		s.skip(s.at + len(whole))
	case s.has(sqlite) && c == '.' && s.fresh() && !digits(line[1:2]):
		s.dot(line, s.at+len(whole))
	case s.client == sqlcmd && (c == ':' || strings.HasPrefix(line, "!!")) && s.fresh(),
		s.client == mysql && (strings.EqualFold(first, "source") || strings.EqualFold(first, "system")) && s.fresh(),
		s.client == sqlplus && (c == '!' || c == '@' || strings.EqualFold(first, "host") || strings.EqualFold(first, "prompt")) && s.fresh():
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

// dot obeys a command of sqlite3 or duckdb.
func (s *scanner) dot(line string, after int) {
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

// backslashed obeys a command that begins with a backslash, where there are any.
func (s *scanner) backslashed() bool {
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
		s.put(token{kind: end}, after)
	case "copy":
		s.put(token{kind: word, text: "COPY", upper: "COPY"}, after)
		s.lineEnd = true
	case "gexec": // runs what the query gives
		s.put(token{kind: end}, stop)
		s.add(token{kind: hole, dynamic: true, text: `\gexec`, at: after})
		s.add(token{kind: end, at: after})
	case "g", "gx", "gset", "gdesc", "crosstabview", "watch", "bind", "parse":
		s.put(token{kind: end}, stop)
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
		s.put(token{kind: end}, s.at+2)
	}
}
