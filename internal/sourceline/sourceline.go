// Package sourceline shows people a line of a file and the place in it that a message is about.
package sourceline

import (
	"fmt"
	"strings"
	"unicode"
)

// maxShown is the most characters of a line that are shown.
const maxShown = 160

// Marked returns a line, which has no line break, with its number and, below it, a caret under a column, which counts
// characters from 1. Both lines have the same width on a terminal whatever the text contains. Of a long line it is what
// stands around the column.
func Marked(text string, number, column int) string {
	runes := []rune(text)
	column = min(max(column, 1), len(runes)+1)
	from, to := 0, len(runes)
	if len(runes) > maxShown {
		from = min(max(0, column-1-maxShown/2), len(runes)-maxShown)
		to = from + maxShown
	}
	var line, below strings.Builder
	put := func(i int, text string, cells int) {
		line.WriteString(text)
		if i < column-1 {
			below.WriteString(strings.Repeat(" ", cells))
		}
	}
	if from > 0 {
		put(0, "…", 1)
	}
	for i := from; i < to; i++ {
		text, cells := shown(runes[i])
		put(i, text, cells)
	}
	if to < len(runes) {
		line.WriteString("…")
	}
	digits := fmt.Sprintf("%3d", number)
	return fmt.Sprintf("%s | %s\n%s | %s^", digits, strings.TrimRight(line.String(), " "), strings.Repeat(" ", len(digits)), below.String())
}

// shown returns how a character is displayed, and its width in cells of a terminal.
func shown(r rune) (text string, cells int) {
	switch {
	case r == '\t':
		return "→", 1
	case Unsafe(r):
		return string(unicode.ReplacementChar), 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return string(r), 0
	case unicode.Is(wide, r):
		return string(r), 2
	}
	return string(r), 1
}

// Unsafe reports whether a character would move the cursor, end the line, or change the
// order or colour of what stands beside it.
func Unsafe(r rune) bool {
	return r == unicode.ReplacementChar || !unicode.IsGraphic(r)
}

// wide are the characters that take two cells, roughly by Unicode's East Asian Width.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0x33ff, Stride: 1},
		{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0xa4cf, Stride: 1}, {Lo: 0xa960, Hi: 0xa97f, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1b000, Hi: 0x1b2ff, Stride: 1}, {Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}
