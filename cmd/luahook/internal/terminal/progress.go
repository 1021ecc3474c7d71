package terminal

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// betweenProgress is how long a text stays before another takes its place.
const betweenProgress = 100 * time.Millisecond

// Progress shows how far long work has come: a line that is written over, on a terminal, and nothing elsewhere. Of
// one that is nil nothing is shown. One goroutine may use it.
type Progress struct {
	out   io.Writer // nil: nobody looks
	next  time.Time // before which nothing else is shown
	width int       // of what is shown
}

// NewProgress is for a writer, as a rule standard error.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{next: time.Now().Add(betweenProgress)} // what is over by then shows nothing
	if Is(w) {
		p.out = w
	}
	return p
}

// Show says in one line how far the work has come.
func (p *Progress) Show(format string, args ...any) {
	if p == nil || p.out == nil || time.Now().Before(p.next) {
		return
	}
	p.write(OneLine(fmt.Sprintf(format, args...)))
	p.next = time.Now().Add(betweenProgress)
}

// Clear takes the line away. It has to be called before anything else is written to the terminal, and at the end.
func (p *Progress) Clear() {
	if p == nil || p.width == 0 {
		return
	}
	p.write("")
	_, _ = io.WriteString(p.out, "\r")
}

func (p *Progress) write(text string) {
	width := utf8.RuneCountInString(text)
	_, _ = io.WriteString(p.out, "\r"+text+strings.Repeat(" ", max(p.width-width, 0)))
	p.width = width
}
