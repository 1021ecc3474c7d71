// Package escape knows the escape sequences by which programs give text colours and
// links on a terminal.
package escape

import "strings"

// Strip is a text without its escape sequences, and how many those were. An ESC that
// begins none stays.
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

// maxTitle bounds the text of a sequence that sets a title or a link.
const maxTitle = 2000

// length is the length of the escape sequence that s begins with (ECMA-48), 0 where it
// is none.
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
