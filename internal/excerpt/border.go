package excerpt

import (
	"strings"
	"unicode/utf8"
)

// runeStart is i, or a little before it where it is inside a character or a line end.
func runeStart(s string, i int) int {
	if i <= 0 || i >= len(s) {
		return max(0, min(i, len(s)))
	}
	if s[i] == '\n' && s[i-1] == '\r' {
		return i - 1
	}
	for j := i; j > i-utf8.UTFMax && j >= 0; j-- {
		if utf8.RuneStart(s[j]) {
			if _, width := utf8.DecodeRuneInString(s[j:]); j+width > i {
				return j
			}
			break
		}
	}
	return i
}

// runeEnd is i, or a little after it where it is inside a character or a line end.
func runeEnd(s string, i int) int {
	if i <= 0 || i >= len(s) {
		return max(0, min(i, len(s)))
	}
	at := runeStart(s, i)
	if at == i {
		return i
	}
	_, width := utf8.DecodeRuneInString(s[at:])
	if s[at] == '\r' {
		width = 2
	}
	return at + width
}

// CountLines counts the lines of a text; what stands after the last line end is one.
func CountLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && s[len(s)-1] != '\n' {
		n++
	}
	return n
}

// prefixEnd is where a beginning of the text ends that has so many bytes and lines at
// most. It ends with a line, but inside of one that would leave much room.
func prefixEnd(s string, bytes, lines int) int {
	limit := max(0, min(bytes, len(s)))
	end := 0
	for range lines {
		i := strings.IndexByte(s[end:limit], '\n')
		if i < 0 {
			if limit == len(s) || end == 0 || wasteful(limit-end, bytes) {
				return runeStart(s, limit)
			}
			return end
		}
		end += i + 1
		if end == limit {
			break
		}
	}
	return end
}

// suffixStart is where an end of the text begins, in the same manner.
func suffixStart(s string, bytes, lines int) int {
	limit := max(0, len(s)-max(0, bytes))
	start := len(s)
	for range lines {
		if start == limit {
			break
		}
		i := strings.LastIndexByte(s[limit:start-1], '\n')
		if i < 0 {
			if limit == 0 || s[limit-1] == '\n' || start == len(s) || wasteful(start-limit, bytes) {
				return runeEnd(s, limit)
			}
			return start
		}
		start = limit + i + 1
	}
	return start
}

// wasteful tells whether so much of a line is too much to leave out for the sake of a
// line border.
func wasteful(part, room int) bool { return part > 500 || part > room/2 }
