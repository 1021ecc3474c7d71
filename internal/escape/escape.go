// Package escape finds the escape sequences that programs write for colours and links on a terminal.
package escape

import "strings"

// Strip returns a text without its escape sequences, and their number. An ESC that begins none stays.
func Strip(s string) (text string, found int) {
	at := strings.IndexByte(s, '\x1b')
	if at < 0 {
		return s, 0
	}
	var out strings.Builder
	out.Grow(len(s))
	for at >= 0 {
		out.WriteString(s[:at])
		n := length(s[at:])
		if n == 0 {
			out.WriteByte('\x1b')
			n = 1
		} else {
			found++
		}
		s = s[at+n:]
		at = strings.IndexByte(s, '\x1b')
	}
	out.WriteString(s)
	return out.String(), found
}

// written are the spellings of an ESC that was itself escaped, as in JSON.
var written = [...]string{"u001b", "u{1b}", "x1b", "033", "e"}

// StripWritten returns a text without the colours whose ESC is spelled out ("\u001b[31m", "^[[0m"), and their
// number.
func StripWritten(s string) (text string, found int) {
	var out strings.Builder
	kept := 0 // what lies before it is in out, or was dropped
	for at := 0; ; at++ {
		next := strings.IndexByte(s[at:], '[')
		if next < 0 {
			break
		}
		at += next
		begin, end := beginOfESC(s[kept:at])+kept, endOfColour(s, at+1)
		if begin == at || end == 0 {
			continue
		}
		out.WriteString(s[kept:begin])
		kept, at = end, end-1
		found++
	}
	if found == 0 {
		return s, 0
	}
	out.WriteString(s[kept:])
	return out.String(), found
}

// beginOfESC returns where the spelled ESC at the end of s begins, or the length of s if there is none.
func beginOfESC(s string) int {
	if strings.HasSuffix(s, "^[") {
		return len(s) - len("^[")
	}
	if strings.HasSuffix(s, "␛") {
		return len(s) - len("␛")
	}
	for _, w := range written {
		at := len(s) - len(w)
		if at < 1 || s[at-1] != '\\' || !strings.EqualFold(s[at:], w) {
			continue
		}
		least := max(at-16, 0) // it may be escaped several times
		for at > least && s[at-1] == '\\' {
			at--
		}
		return at
	}
	return len(s)
}

// endOfColour returns where the colour ends whose numbers begin at the given place; 0 if none does.
func endOfColour(s string, at int) int {
	for i := at; i < min(len(s), at+32); i++ {
		switch c := s[i]; {
		case c == 'm' || c == 'K':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// maxTitle bounds the text of a sequence that sets a title or a link.
const maxTitle = 2000

// length returns the length of the escape sequence that s begins with (ECMA-48); 0 if there is none.
func length(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch c := s[1]; {
	case c == '[':
		for i := 2; i < min(len(s), 64); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			} else if s[i] < 0x20 || s[i] > 0x3f {
				return 0
			}
		}
	case c == ']':
		for i := 2; i < min(len(s), maxTitle); i++ {
			switch {
			case s[i] == '\n':
				return 0
			case s[i] == '\a':
				return i + 1
			case s[i] == '\x1b':
				if i+1 < len(s) && s[i+1] == '\\' {
					return i + 2
				}
				return 0
			}
		}
	case c >= 0x20 && c <= 0x2f:
		if len(s) > 2 && s[2] >= 0x30 && s[2] <= 0x7e {
			return 3
		}
	case c >= 0x30 && c <= 0x5f:
		return 2
	}
	return 0
}
