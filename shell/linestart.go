package shell

import "strings"

// lineStart remembers where the last line that was asked for begins, because a long
// line is asked for at each of its words.
type lineStart struct{ start, offset int }

// before is where the line that an offset is in begins.
func (l *lineStart) before(source string, offset int) int {
	if offset < l.start {
		*l = lineStart{}
	}
	if offset > l.offset {
		if i := strings.LastIndexByte(source[l.offset:offset], '\n'); i >= 0 {
			l.start = l.offset + i + 1
		}
		l.offset = offset
	}
	return l.start
}
