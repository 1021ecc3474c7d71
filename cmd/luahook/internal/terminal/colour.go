// Package terminal is for what people read: colours, texts of strangers that must not pass for luahook's own, and
// questions that a person answers.
package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Colour marks texts on a terminal, and nothing elsewhere.
type Colour bool

// ColourOf is whether texts for a writer are marked: on a terminal that knows how, unless NO_COLOR is set.
func ColourOf(w io.Writer) Colour {
	kind := os.Getenv("TERM")
	return Colour(Is(w) && os.Getenv("NO_COLOR") == "" && kind != "" && kind != "dumb")
}

// Is reports whether what is written to w is read by a person.
func Is(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (c Colour) mark(code, text string) string {
	if !c || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Title, Good, Bad, Care and Faint mark a text as what they are named after.
func (c Colour) Title(text string) string { return c.mark("1", text) }
func (c Colour) Good(text string) string  { return c.mark("32", text) }
func (c Colour) Bad(text string) string   { return c.mark("31", text) }
func (c Colour) Care(text string) string  { return c.mark("33", text) }
func (c Colour) Faint(text string) string { return c.mark("2", text) }
