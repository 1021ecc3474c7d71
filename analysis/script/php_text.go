package script

import "strings"

// phpText is a text with variables in it that isn't read to its end.
type phpText struct {
	quote byte // what ends it; 0 for a here-document
	end   int  // where a here-document ends
	open  bool // else the brace is one of code
}

func (s *phpScanner) verbatim() {
	start, line := s.at, s.line
	for s.at++; s.at < len(s.source) && s.source[s.at] != '\''; s.at++ {
		if s.source[s.at] == '\\' {
			s.at++
		}
		if s.at < len(s.source) && s.source[s.at] == '\n' {
			s.line++
		}
	}
	text := s.source[start+1 : min(s.at, len(s.source))]
	s.at = min(s.at+1, len(s.source))
	s.add(curlyText, singleQuoted(text), start, line)
}

// hereDocument reads <<<TAG up to the line that begins with the tag.
func (s *phpScanner) hereDocument() bool {
	at := s.at + 3
	for at < len(s.source) && s.source[at] == ' ' {
		at++
	}
	quote := byte(0)
	if at < len(s.source) && (s.source[at] == '"' || s.source[at] == '\'') {
		quote = s.source[at]
		at++
	}
	start := at
	for at < len(s.source) && isNameByte(s.source[at]) {
		at++
	}
	tag := s.source[start:at]
	if quote != 0 {
		at++
	}
	end := strings.IndexByte(s.source[min(at, len(s.source)):], '\n')
	if tag == "" || end < 0 {
		return false
	}
	at += end + 1
	body, stop, after := at, len(s.source), len(s.source)
	for line := at; line < len(s.source); {
		first := line
		for first < len(s.source) && (s.source[first] == ' ' || s.source[first] == '\t') {
			first++
		}
		if strings.HasPrefix(s.source[first:], tag) && (first+len(tag) == len(s.source) || !isNameByte(s.source[first+len(tag)])) {
			stop, after = max(body, line-1), first+len(tag)
			break
		}
		next := strings.IndexByte(s.source[line:], '\n')
		if next < 0 {
			break
		}
		line += next + 1
	}
	open := s.at
	s.at = body
	s.line++
	if quote == '\'' {
		text := s.source[body:stop]
		s.at = after
		s.add(curlyText, text, open, s.line)
		s.line += strings.Count(text, "\n") + 1
		return true
	}
	s.add(curlyOpen, "<<<", open, s.line)
	s.parts(phpText{end: stop, open: true, quote: 0})
	return true
}

// parts reads a text with variables, up to its end or to an expression in braces.
func (s *phpScanner) parts(text phpText) {
	start, line := s.at, s.line
	for s.at < len(s.source) {
		c := s.source[s.at]
		switch {
		case text.quote != 0 && c == text.quote, text.quote == 0 && s.at >= text.end:
			s.part(start, line)
			s.close(text)
			return
		case c == '\\':
			s.at++
			if s.peek(0) == '\n' {
				s.line++
			}
			s.at = min(s.at+1, len(s.source))
			continue
		case c == '{' && s.peek(1) == '$', c == '$' && s.peek(1) == '{':
			s.part(start, line)
			s.braces = append(s.braces, text)
			if c == '{' {
				s.mark(1, "${")
				return
			}
			s.mark(2, "${")
			if from := s.at; isNameStart(s.peek(0)) { // ${name}
				s.name()
				last := &s.tokens[len(s.tokens)-1]
				last.text = "$" + s.source[from:s.at]
			}
			return
		case c == '$' && isNameStart(s.peek(1)):
			s.part(start, line)
			s.simple()
			start, line = s.at, s.line
			continue
		case c == '\n':
			s.line++
		}
		s.at++
	}
	s.part(start, line)
}

func (s *phpScanner) part(start, line int) {
	if start < s.at {
		s.add(curlyText, unescaped(s.source[start:s.at]), start, line)
	}
}

// close ends a text.
func (s *phpScanner) close(text phpText) {
	start := s.at
	if text.quote != 0 {
		s.at++
		s.add(curlyClose, string(rune(text.quote)), start, s.line)
		return
	}
	s.add(curlyClose, "<<<", start, s.line)
	for s.at < len(s.source) && (s.source[s.at] == '\n' || s.source[s.at] == ' ' || s.source[s.at] == '\t') {
		s.blank()
	}
	for isNameByte(s.peek(0)) { // the tag
		s.at++
	}
}

// simple reads $x, $x[0], $x[key] and $x->y in a text.
func (s *phpScanner) simple() {
	s.mark(0, "${")
	s.name()
	switch {
	case s.peek(0) == '[':
		s.mark(1, "[")
		start := s.at
		for s.peek(0) != ']' && s.peek(0) != 0 && s.peek(0) != '\n' && s.peek(0) != '"' {
			s.at++
		}
		key := strings.Trim(s.source[start:s.at], "'")
		switch {
		case key != "" && key[0] == '$':
			s.add(curlyName, key, start, s.line)
		case key != "" && key[0] >= '0' && key[0] <= '9':
			s.add(curlyNumber, key, start, s.line)
		default:
			s.add(curlyText, key, start, s.line)
		}
		if s.peek(0) == ']' {
			s.mark(1, "]")
		}
	case strings.HasPrefix(s.source[s.at:], "->") && isNameStart(s.peek(2)):
		s.mark(2, ".")
		s.name()
	}
	s.mark(0, "}")
}
