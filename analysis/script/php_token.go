package script

import "strings"

// phpScanner makes tokens of PHP. What is written otherwise than in JavaScript
// but means the same gets its marks: "." is "+", and "->" is ".".
type phpScanner struct {
	curlyScanner
	braces []phpText // the texts that the open braces are in
}

func phpTokens(source string, line int) []curlyToken {
	s := &phpScanner{curlyScanner: newCurlyScanner(source, line)}
	if strings.HasPrefix(source, "#!") {
		s.skipLine()
	}
	if strings.HasPrefix(strings.TrimSpace(source[s.at:]), "<") {
		s.page()
	}
	for s.at < len(source) {
		s.next()
	}
	return s.finish()
}

// page skips what isn't code, up to <?php or <?=.
func (s *phpScanner) page() {
	s.skipTo("<?")
	switch rest := s.source[s.at:]; {
	case len(rest) >= 3 && strings.EqualFold(rest[:3], "php"):
		s.at += 3
	case strings.HasPrefix(rest, "="):
		s.at++
	}
}

// phpMarks are the operators of more than one byte and those that have another
// name here, longest first.
var phpMarks = []struct{ text, name string }{
	{"?->", "."}, {"...", "..."}, {"===", "==="}, {"!==", "!=="}, {"<=>", "<=>"}, {"**=", "**="}, {"??=", "??="}, {"<<=", "<<="}, {">>=", ">>="},
	{"->", "."}, {"::", "."}, {"=>", "=>"}, {".=", "+="}, {"+=", "-="}, {"==", "=="}, {"!=", "!="}, {"<>", "!="}, {"<=", "<="}, {">=", ">="}, {"&&", "&&"}, {"||", "||"},
	{"??", "??"}, {"++", "++"}, {"--", "--"}, {"-=", "-="}, {"*=", "*="}, {"/=", "/="}, {"%=", "%="}, {"&=", "&="}, {"|=", "|="}, {"^=", "^="}, {"<<", "<<"}, {">>", ">>"}, {"**", "**"},
	{".", "+"}, {"+", "-"},
}

func (s *phpScanner) next() {
	c := s.source[s.at]
	rest := s.source[s.at:]
	switch {
	case s.blank():
	case c == '?' && strings.HasPrefix(rest, "?>"):
		s.mark(2, ";")
		s.page()
	case c == '#' && s.peek(1) == '[':
		s.attribute()
	case c == '#' || c == '/' && s.peek(1) == '/':
		s.comment()
	case c == '/' && s.peek(1) == '*':
		s.at += 2
		s.skipTo("*/")
	case c == '\'':
		s.verbatim()
	case c == '"' || c == '`':
		s.at++
		s.add(curlyOpen, string(rune(c)), s.at-1, s.line)
		s.parts(phpText{quote: c, open: true})
	case c == '<' && strings.HasPrefix(rest, "<<<") && s.hereDocument():
	case c >= '0' && c <= '9':
		s.number()
	case isNameStart(c) || c == '$' && (isNameStart(s.peek(1))) || c == '\\' && isNameStart(s.peek(1)):
		s.name()
	default:
		s.operator(rest)
	}
}

// attribute skips #[...], in which nothing is called.
func (s *phpScanner) attribute() {
	level := 0
	for s.at++; s.at < len(s.source); s.at++ {
		switch c := s.source[s.at]; c {
		case '[':
			level++
		case ']':
			if level--; level == 0 {
				s.at++
				return
			}
		case '\n':
			s.line++
		case '\'', '"':
			end := strings.IndexByte(s.source[s.at+1:], c)
			if end < 0 {
				return
			}
			s.line += strings.Count(s.source[s.at:s.at+end+1], "\n")
			s.at += end + 1
		}
	}
}

// comment skips one, which ends with the line or with the code.
func (s *phpScanner) comment() {
	for s.at < len(s.source) && s.source[s.at] != '\n' && !(s.source[s.at] == '?' && s.peek(1) == '>') {
		s.at++
	}
}

func (s *phpScanner) operator(rest string) {
	switch rest[0] {
	case '{':
		s.braces = append(s.braces, phpText{})
	case '}':
		s.mark(1, "}")
		if n := len(s.braces); n > 0 {
			top := s.braces[n-1]
			s.braces = s.braces[:n-1]
			if top.open {
				s.parts(top)
			}
		}
		return
	}
	for _, mark := range phpMarks {
		if strings.HasPrefix(rest, mark.text) {
			s.mark(len(mark.text), mark.name)
			return
		}
	}
	s.mark(1, rest[:1])
}

func (s *phpScanner) number() {
	start := s.at
	for isNameByte(s.peek(0)) || s.peek(0) == '.' && s.peek(1) >= '0' && s.peek(1) <= '9' {
		s.at++
	}
	s.add(curlyNumber, strings.ReplaceAll(s.source[start:s.at], "_", ""), start, s.line)
}

// name reads a name with its namespaces. Those of functions and classes are
// the same in capitals; keys and members that are told apart by them are kept.
func (s *phpScanner) name() {
	start := s.at
	s.at++
	for c := s.peek(0); isNameByte(c) || c >= 0x80 || c == '\\' && isNameStart(s.peek(1)); c = s.peek(0) {
		s.at++
	}
	text := s.source[start:s.at]
	if text[0] != '$' {
		text = strings.ToLower(strings.TrimPrefix(text, `\`))
	}
	s.add(curlyName, text, start, s.line)
}
