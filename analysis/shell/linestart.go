package shell

import "sort"

// lineStart says where the lines of a text begin, once it's asked.
type lineStart struct{ starts []int }

// before is where the line that an offset is in begins.
func (l *lineStart) before(source string, offset int) int {
	if l.starts == nil {
		l.starts = append(l.starts, 0)
		for i := range len(source) {
			if source[i] == '\n' {
				l.starts = append(l.starts, i+1)
			}
		}
	}
	return l.starts[sort.SearchInts(l.starts, offset+1)-1]
}
