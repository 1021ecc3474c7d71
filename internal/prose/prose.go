// Package prose wraps the prose of the Markdown pages that are made from code.
// It knows no other Markdown: not tables, code or headings.
package prose

import (
	"strings"
	"unicode/utf8"
)

// Width is how long a line of prose is at most, in characters.
const Width = 100

// Wrap breaks each line of text at blanks, so that it is no longer than Width. The
// lines that continue one begin with indent. Code between backquotes stays whole, and
// no word begins a line that Markdown would read as the mark of a list, a heading or a
// quotation.
func Wrap(text, indent string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		length := 0
		for _, word := range words(line) {
			n := utf8.RuneCountInString(word)
			switch {
			case length == 0:
			case length+1+n > Width && !isMark(word):
				b.WriteString("\n" + indent)
				length = utf8.RuneCountInString(indent)
			default:
				b.WriteByte(' ')
				length++
			}
			b.WriteString(word)
			length += n
		}
	}
	return b.String()
}

// words splits a line at the blanks outside of code, which as many backquotes end as
// have begun it.
func words(line string) []string {
	var all []string
	ticks, start := 0, 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if ticks == 0 {
				all = append(all, line[start:i])
				start = i + 1
			}
		case '`':
			run := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
			switch ticks {
			case 0:
				ticks = run
			case run:
				ticks = 0
			}
			i += run - 1
		}
	}
	return append(all, line[start:])
}

func isMark(word string) bool {
	return strings.Trim(word, "-+*>#") == "" || strings.TrimLeft(word, "0123456789") == "."
}
