// Package testreport writes what has come of tests in Lua: for people, and as JSON and JUnit
// for programs. luatest makes the reports.
package testreport

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/luatest"
)

// File writes a file of a report for people: a line where all has passed, else each failure.
func File(w io.Writer, f luatest.File) error {
	c := terminal.ColourOf(w)
	var b strings.Builder
	took := c.Faint(rounded(f.Duration))
	switch failed := f.Failed(); {
	case f.Error != "":
		fmt.Fprintf(&b, "%s  %s\n%s", c.Bad("ERROR"), terminal.OneLine(f.Path), indented("  ", f.Error))
	case failed == 0:
		fmt.Fprintf(&b, "%s     %s  %s, %s\n", c.Good("ok"), terminal.OneLine(f.Path), terminal.Counted(len(f.Tests), "test"), took)
	default:
		fmt.Fprintf(&b, "%s   %s  %d of %s failed, %s\n", c.Bad("FAIL"), terminal.OneLine(f.Path), failed, terminal.Counted(len(f.Tests), "test"), took)
	}
	for _, t := range f.Tests {
		if !t.Passed {
			failure(&b, c, &t)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func failure(b *strings.Builder, c terminal.Colour, t *luatest.Test) {
	fmt.Fprintf(b, "  %s\n", c.Title(terminal.OneLine(t.Name)))
	f := t.Failure
	message := f.Message
	if f.Source != "" {
		message = f.Source + ": " + message
	}
	b.WriteString(indented("    ", message))
	if f.Snippet != "" {
		b.WriteString(c.Faint("      | "+terminal.OneLine(f.Snippet)) + "\n")
	}
	if len(f.Callers) > 0 {
		fmt.Fprintf(b, "      called at %s\n", terminal.OneLine(strings.Join(f.Callers, ", ")))
	}
	if len(t.Printed) > 0 {
		b.WriteString("    printed:\n" + indented("      ", strings.Join(t.Printed, "\n")))
	}
}

// indented is a stranger's text of some lines, each behind an indent.
func indented(indent, text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(indent + terminal.Shown(strings.ReplaceAll(line, "\t", "    ")) + "\n")
	}
	return b.String()
}

func rounded(d luatest.Duration) string {
	if t := time.Duration(d); t >= time.Second {
		return t.Round(10 * time.Millisecond).String()
	}
	return time.Duration(d).Round(time.Millisecond).String()
}

// End writes what a report comes to, below its files.
func End(w io.Writer, r *luatest.Report) error {
	c := terminal.ColourOf(w)
	var b strings.Builder
	if r.Coverage != nil {
		coverage(&b, c, r)
	}
	if len(r.Problems) > 0 {
		b.WriteString(c.Bad("not loaded") + "\n")
		for _, problem := range r.Problems {
			b.WriteString(indented("  ", problem))
		}
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(&b, "%s left out, as programs don't run in tests; with --run-programs they do\n", terminal.Counted(r.LeftOut, "command hook"))
	}
	fmt.Fprintf(&b, "%s in %s: %d passed", terminal.Counted(r.Passed+r.Failed, "test"), terminal.Counted(len(r.Files), "file"), r.Passed)
	if r.Failed > 0 {
		fmt.Fprintf(&b, ", %s", c.Bad(fmt.Sprintf("%d failed", r.Failed)))
	}
	if r.Broken > 0 {
		fmt.Fprintf(&b, "; %s could not run", c.Bad(terminal.Counted(r.Broken, "file")))
	}
	fmt.Fprintf(&b, " (%s)\n", rounded(r.Duration))
	_, err := io.WriteString(w, b.String())
	return err
}

func coverage(b *strings.Builder, c terminal.Colour, r *luatest.Report) {
	b.WriteString(c.Title("coverage") + "\n")
	width := len("all")
	for _, f := range r.Coverage {
		width = max(width, len(terminal.OneLine(f.Path)))
	}
	covered, lines := 0, 0
	for _, f := range r.Coverage {
		missed := make([]string, len(f.Missed))
		for i, m := range f.Missed {
			missed[i] = m.String()
		}
		text := fmt.Sprintf("  %-*s  %5.1f%%  %d of %d", width, terminal.OneLine(f.Path), f.Percent(), f.Covered, f.Lines)
		if len(missed) > 0 {
			text += "  not run: " + strings.Join(missed, ", ")
		}
		b.WriteString(text + "\n")
		covered, lines = covered+f.Covered, lines+f.Lines
	}
	fmt.Fprintf(b, "  %-*s  %5.1f%%  %d of %d\n", width, "all", r.Percent(), covered, lines)
}
