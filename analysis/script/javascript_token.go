package script

import "strings"

// jsScanner makes tokens of JavaScript, as ECMA-262 has them; those of
// TypeScript are no others.
type jsScanner struct {
	curlyScanner
	braces  []jsBrace
	parens  []bool // of the "(" that are open, whether a condition is in them
	divides bool   // a "/" at this point divides, and doesn't begin a regular expression
}

// jsBrace is one "{" that is open.
type jsBrace struct {
	template bool // a ${ in a template
	value    bool // of an object, so that a "/" after it divides
}

func jsTokens(source string, line int) []curlyToken {
	s := &jsScanner{curlyScanner: newCurlyScanner(source, line)}
	if strings.HasPrefix(source, "#!") {
		s.skipLine()
	}
	for s.at < len(source) {
		s.next()
	}
	return s.finish()
}

func (s *jsScanner) next() {
	c := s.source[s.at]
	switch {
	case s.blank():
	case c == '/' && s.peek(1) == '/':
		s.skipLine()
	case c == '/' && s.peek(1) == '*':
		s.at += 2
		s.skipTo("*/")
	case c == '<' && strings.HasPrefix(s.source[s.at:], "<!--"):
		s.skipLine()
	case c == '"' || c == '\'':
		s.text(c)
	case c == '`':
		s.at++
		s.add(curlyOpen, "`", s.at-1, s.line)
		s.template()
	case c >= '0' && c <= '9' || c == '.' && s.peek(1) >= '0' && s.peek(1) <= '9':
		s.number()
	case isNameStart(c) || c == '$' || c == '#' || c == '\\':
		s.name()
	case c == '/' && !s.divides && s.regex():
	default:
		s.operator()
	}
}

// jsMarks are the operators of more than one byte, longest first.
var jsMarks = []string{">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",

	"=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**"}

func (s *jsScanner) operator() {
	rest := s.source[s.at:]
	switch rest[0] {
	case '{':
		s.braces = append(s.braces, jsBrace{value: s.opensObject()})
	case '}':
		s.closeBrace()
		return
	case '(':
		last := &s.tokens[len(s.tokens)-1]
		s.parens = append(s.parens, last.kind == curlyName && (last.text == "if" || last.text == "while" || last.text == "for" || last.text == "with"))
	case ')':
		s.mark(1, ")")
		s.divides = true
		if n := len(s.parens); n > 0 {
			s.divides = !s.parens[n-1]
			s.parens = s.parens[:n-1]
		}
		return
	}
	for _, operator := range jsMarks {
		if !strings.HasPrefix(rest, operator) {
			continue
		}
		if operator == "?." {
			s.optional(rest)
			return
		}
		s.mark(len(operator), operator)
		s.divides = operator == "++" || operator == "--"
		return
	}
	s.mark(1, rest[:1])
	s.divides = rest[0] == ']'
}

// optional reads "?." as ".", or as nothing before a call or an index.
func (s *jsScanner) optional(rest string) {
	after := strings.TrimLeft(rest[2:min(len(rest), 10)], " \t\n")
	switch {
	case after != "" && after[0] >= '0' && after[0] <= '9':
		s.mark(1, "?") // x ?.5 : 1
	case after != "" && (after[0] == '(' || after[0] == '['):
		s.at += 2
	default:
		s.mark(2, ".")
	}
	s.divides = false
}

func (s *jsScanner) closeBrace() {
	s.mark(1, "}")
	s.divides = false
	n := len(s.braces)
	if n == 0 {
		return
	}
	top := s.braces[n-1]
	s.braces = s.braces[:n-1]
	s.divides = top.value
	if top.template {
		s.template()
	}
}

// opensObject reports whether a "{" here begins an object and not a block.
func (s *jsScanner) opensObject() bool {
	last := &s.tokens[len(s.tokens)-1]
	switch last.kind {
	case curlyName:
		return last.text == "return" || last.text == "typeof" || last.text == "in" || last.text == "of" || last.text == "await" || last.text == "default"
	case curlyMark:
		switch last.text {
		case ")", ";", "{", "}", "=>", "]":
			return false
		case ":":
			n := len(s.braces)
			return n > 0 && s.braces[n-1].value
		}
		return true
	}
	return false
}

// jsBefore are the keywords after which an expression begins.
const jsBefore = " return typeof instanceof in of new delete void throw case do else await yield default extends "

func (s *jsScanner) name() {
	start := s.at
	for s.at < len(s.source) {
		c := s.source[s.at]
		switch {
		case isNameByte(c), c >= 0x80, c == '$', c == '#' && s.at == start:
			s.at++
		case strings.HasPrefix(s.source[s.at:], "\\u{"): // a letter, too
			end := strings.IndexByte(s.source[s.at:min(len(s.source), s.at+12)], '}')
			s.at += max(end+1, 3)
		case strings.HasPrefix(s.source[s.at:], "\\u"):
			s.at += 2
		default:
			s.named(start)
			return
		}
	}
	s.named(start)
}

func (s *jsScanner) named(start int) {
	if s.at == start {
		s.at++ // a backslash that has no business here
		return
	}
	text := unescaped(s.source[start:s.at])
	s.add(curlyName, text, start, s.line)
	s.divides = !strings.Contains(jsBefore, " "+text+" ")
}

func (s *jsScanner) number() {
	start := s.at
	for s.at < len(s.source) {
		c := s.source[s.at]
		if !isNameByte(c) && !(c == '.' && s.peek(1) != '.') {
			break
		}
		s.at++
	}
	text := strings.ReplaceAll(s.source[start:s.at], "_", "")
	s.add(curlyNumber, strings.TrimSuffix(text, "n"), start, s.line)
	s.divides = true
}

// regex skips a regular expression, if there is one.
func (s *jsScanner) regex() bool {
	class := false
	for i := s.at + 1; i < len(s.source) && s.source[i] != '\n'; i++ {
		switch s.source[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if class {
				continue
			}
			start := s.at
			for s.at = i + 1; s.at < len(s.source) && isNameByte(s.source[s.at]); s.at++ {
			}
			s.add(curlyNumber, "", start, s.line)
			s.divides = true
			return true
		}
	}
	return false
}
