package config

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/luahook/luahook/hooks"
)

// source is the text of one file, to quote lines in messages.
type source struct {
	name string
	text string
}

// place is a position in a file: line and column (in characters) from 1. The zero place is nowhere.
type place struct {
	source       *source
	line, column int
	hidden       bool // the text there may be secret, and isn't shown
}

// maxMessage is the most characters of a message, which may quote the file.
const maxMessage = 500

// errorf returns an error at the place, with the annotated source.
func (p place) errorf(format string, args ...any) *hooks.Error {
	return &hooks.Error{
		Kind:    hooks.KindLoad,
		Source:  fmt.Sprintf("%s:%d:%d", p.source.name, p.line, p.column),
		Message: oneLine(fmt.Sprintf(format, args...)),
		Snippet: p.annotated(),
	}
}

// oneLine returns a message of at most maxMessage characters, without characters that break the line or control
// a terminal.
func oneLine(message string) string {
	var b strings.Builder
	n := 0
	for _, r := range message {
		if n++; n > maxMessage {
			b.WriteString("…")
			break
		}
		if unsafe(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// maxShown is the most characters of a line that are shown.
const maxShown = 160

// annotated returns the line with its number and, below it, a caret under the column. Both have the same width
// on a terminal whatever the line contains.
func (p place) annotated() string {
	runes := []rune(p.source.lineAt(p.line))
	column := min(max(p.column, 1), len(runes)+1)
	if p.hidden {
		runes = append(runes[:column-1], '…')
	}
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
	number := fmt.Sprintf("%3d", p.line)
	return fmt.Sprintf("%s | %s\n%s | %s^", number, strings.TrimRight(line.String(), " "), strings.Repeat(" ", len(number)), below.String())
}

// lines returns the number of lines.
func (s *source) lines() int {
	return 1 + strings.Count(s.text, "\n") + strings.Count(s.text, "\r") - strings.Count(s.text, "\r\n")
}

// lineAt returns a line of the text without its end. Lines end as in YAML, also at a lone carriage return.
func (s *source) lineAt(n int) string {
	text := s.text
	for {
		end := strings.IndexAny(text, "\r\n")
		if end < 0 {
			if n > 1 {
				return ""
			}
			return text
		}
		if n <= 1 {
			return text[:end]
		}
		if strings.HasPrefix(text[end:], "\r\n") {
			end++
		}
		text, n = text[end+1:], n-1
	}
}

// shown returns how a character is displayed, and its width in cells of a terminal.
func shown(r rune) (text string, cells int) {
	switch {
	case r == '\t':
		return "→", 1
	case unsafe(r):
		return string(unicode.ReplacementChar), 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return string(r), 0
	case unicode.Is(wide, r):
		return string(r), 2
	}
	return string(r), 1
}

// unsafe reports whether a character would move the cursor, end the line, or change the
// order or colour of what stands beside it.
func unsafe(r rune) bool {
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
