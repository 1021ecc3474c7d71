package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
)

// Printable is text without the characters that would move the cursor of a terminal,
// recolour it or turn the direction of its text; they come from commands and hooks of
// strangers.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if (unicode.IsControl(r) && r != '\n' && r != '\t') || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// OneLine is text on one line, without what would move a terminal's cursor, recolour
// it, or have its characters read in another order.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cf, r): // joiners and turns of direction
			return unicode.ReplacementChar
		}
		return r
	}, strings.TrimSpace(text))
	return Printable(text)
}

// Shown is a stranger's text on one line, with nothing in it that a terminal acts on or
// that makes text look like other text: controls, and characters that turn its direction
// or can't be seen.
func Shown(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// Indented is a stranger's text of several lines, none of which begins where luahook's
// own do.
func Indented(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = Shown(strings.ReplaceAll(line, "\t", "    "))
	}
	return strings.Join(lines, "\n          | ")
}

// PrintableJSON is a text of JSON in which what would move a terminal's cursor, or turn
// the direction of its text, is escaped.
func PrintableJSON(line string) string {
	var b strings.Builder
	for _, r := range line {
		if !unicode.IsControl(r) && !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			b.WriteRune(r)
			continue
		}
		units := []rune{r}
		if r > 0xffff {
			high, low := utf16.EncodeRune(r)
			units = []rune{high, low}
		}
		for _, unit := range units {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// Counted is a number with what it is of.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Bytes is a size in words.
func Bytes(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}

// WriteJSON writes v as indented JSON, in which what a terminal would act on is escaped.
func WriteJSON(w io.Writer, v any) error {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return err
	}
	var b strings.Builder
	for line := range strings.Lines(text.String()) {
		b.WriteString(PrintableJSON(strings.TrimSuffix(line, "\n")) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// LocalTime is a time where the reader is.
func LocalTime(t time.Time) string { return t.Local().Format(time.DateTime) }

// Age is how long ago something was, in words.
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	}
	return fmt.Sprintf("%d days ago", d/(24*time.Hour))
}

// Duration is a duration without the parts that are nothing: 10m, not 10m0s.
func Duration(d time.Duration) string {
	text := d.String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-2]
		}
	}
	return text
}
