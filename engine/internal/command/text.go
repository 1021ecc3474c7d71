package command

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/luahook/luahook/internal/excerpt"
)

// maxShown is how much of an output a run's summary shows, the mark included.
const maxShown = 16 << 10

// clean is an output as text: bytes that are no UTF-8 become U+FFFD.
func clean(output []byte) string {
	return strings.ToValidUTF8(string(output), "\uFFFD")
}

// shown is a text for a run's summary, no longer than maxShown. more says that there
// was more than the text already.
func shown(text string, more bool) string {
	mark := "\n[cut]"
	if len(text) <= maxShown && !more {
		return text
	}
	return excerpt.Beginning(text, maxShown-len(mark)) + mark
}

// whole is a text that may have been cut, with a mark that says so.
func whole(text string, cut bool, kept int) string {
	if !cut {
		return text
	}
	return fmt.Sprintf("%s\n[cut: these are the first %d bytes]", text, kept)
}

// maxLast is how much of stderr an error's message tells.
const maxLast = 500

// lastLines is the end of a text on one line: up to three lines that aren't empty.
func lastLines(text string) string {
	var lines []string
	rest := strings.TrimSpace(text)
	for rest != "" && len(lines) < 3 {
		start := strings.LastIndexByte(rest, '\n') + 1
		lines = append([]string{oneLine(rest[start:])}, lines...)
		rest = strings.TrimSpace(rest[:start])
	}
	last := strings.Join(lines, " / ")
	if len(last) > maxLast {
		cut := len(last) - maxLast
		for !utf8.RuneStart(last[cut]) {
			cut++
		}
		last = "..." + last[cut:]
	}
	return last
}

// oneLine is a text without control characters, which a terminal would obey.
func oneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
}
