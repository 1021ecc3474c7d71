package config

import (
	"fmt"
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/sourceline"
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
		if sourceline.Unsafe(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// annotated returns the line with its number and, below it, a caret under the column.
func (p place) annotated() string {
	line := p.source.lineAt(p.line)
	if runes := []rune(line); p.hidden {
		line = string(runes[:min(max(p.column, 1)-1, len(runes))]) + "…"
	}
	return sourceline.Marked(line, p.line, p.column)
}

// lines returns the number of lines; text after the last line end is one.
func (s *source) lines() int {
	ends := strings.Count(s.text, "\n") + strings.Count(s.text, "\r") - strings.Count(s.text, "\r\n")
	if s.text != "" && !strings.HasSuffix(s.text, "\n") && !strings.HasSuffix(s.text, "\r") {
		ends++
	}
	return ends
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
