package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// colour marks texts on a terminal, and nothing elsewhere.
type colour bool

// colourOf is whether texts for a writer are marked: on a terminal that knows how, unless NO_COLOR is set.
func colourOf(w io.Writer) colour {
	kind := os.Getenv("TERM")
	return colour(writesToTerminal(w) && os.Getenv("NO_COLOR") == "" && kind != "" && kind != "dumb")
}

// writesToTerminal reports whether what is written to w is read by a person.
func writesToTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (c colour) mark(code, text string) string {
	if !c || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (c colour) title(text string) string { return c.mark("1", text) }
func (c colour) good(text string) string  { return c.mark("32", text) }
func (c colour) bad(text string) string   { return c.mark("31", text) }
func (c colour) care(text string) string  { return c.mark("33", text) }
func (c colour) faint(text string) string { return c.mark("2", text) }
