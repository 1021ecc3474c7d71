package script

// text reads a text in quotes. It ends with the line at the latest.
func (s *jsScanner) text(quote byte) {
	start, line := s.at, s.line
	escaped := false
	for s.at++; s.at < len(s.source); s.at++ {
		c := s.source[s.at]
		if c == '\\' && s.at+1 < len(s.source) {
			escaped = true
			s.at++
			if s.source[s.at] == '\n' {
				s.line++
			}
			continue
		}
		if c == quote || c == '\n' {
			break
		}
	}
	text := s.source[start+1 : min(s.at, len(s.source))]
	if s.at < len(s.source) && s.source[s.at] == quote {
		s.at++
	}
	if escaped {
		text = unescaped(text)
	}
	s.add(curlyText, text, start, line)
	s.divides = true
}

// template reads the constant text of a template, up to its end or to an
// expression in it.
func (s *jsScanner) template() {
	start, line := s.at, s.line
	for ; s.at < len(s.source); s.at++ {
		c := s.source[s.at]
		switch {
		case c == '\n':
			s.line++
		case c == '\\' && s.at+1 < len(s.source):
			s.at++
			if s.source[s.at] == '\n' {
				s.line++
			}
		case c == '`' || c == '$' && s.peek(1) == '{':
			s.part(start, line)
			if c == '$' {
				s.braces = append(s.braces, jsBrace{template: true})
				s.mark(2, "${")
				s.divides = false
				return
			}
			s.at++
			s.add(curlyClose, "`", s.at-1, s.line)
			s.divides = true
			return
		}
	}
	s.part(start, line)
}

func (s *jsScanner) part(start, line int) {
	if s.at == start {
		return
	}
	text := unescaped(s.source[start:min(s.at, len(s.source))])
	s.add(curlyText, text, start, line)
}
