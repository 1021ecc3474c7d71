package show

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/hooks"
)

// traceWidth is where a line of the trace is cut, in characters.
const traceWidth = 160

// Trace draws the runs of a result as a tree, a line each, with what they had to
// say below them:
//
//	pre_tool_call: deny in 1.2 ms, generation 1
//	├─ ✓ notes (project, .hooks/notes.lua:1) 310 µs, lua, 57 instructions
//	│    context: the build is broken
//	└─ ✗ guard (user, builtin:safety-guard:9) 821 µs, lua, 1204 instructions
//	     feedback: this deletes everything below /
//
// The runs of the judging round are a branch of their own.
func Trace(w io.Writer, r *hooks.Result) {
	t := &trace{}
	decision := cmp.Or(string(r.Decision), "no objection")
	took := time.Duration(r.Summary().DurationMS * float64(time.Millisecond))
	t.line("%s: %s in %s, generation %d", r.Summary().Event, decision, shortTime(took), r.Summary().Generation)
	var first, judging []hooks.Run
	for _, run := range r.Summary().Runs {
		if run.Judging {
			judging = append(judging, run)
		} else {
			first = append(first, run)
		}
	}
	if len(r.Summary().Runs) == 0 {
		t.branch(true, "no hook ran")()
	}
	for i, run := range first {
		t.run(i == len(first)-1 && len(judging) == 0, run)
	}
	if len(judging) > 0 {
		leave := t.branch(true, "judging what was rewritten")
		for i, run := range judging {
			t.run(i == len(judging)-1, run)
		}
		leave()
	}
	fmt.Fprint(w, t.text.String())
}

// trace is a tree that is being drawn.
type trace struct {
	text   strings.Builder
	indent string
}

// line writes one line, however long the text is and whatever stands in it.
func (t *trace) line(format string, args ...any) {
	text := []rune(t.indent + terminal.OneLine(fmt.Sprintf(format, args...)))
	if len(text) > traceWidth {
		text = append(text[:traceWidth-1], '…')
	}
	t.text.WriteString(strings.TrimRight(string(text), " ") + "\n")
}

// branch writes a line with a branch before it. What follows stands below it until
// leave is called.
func (t *trace) branch(last bool, format string, args ...any) (leave func()) {
	above := t.indent
	fork, below := "├─ ", "│  "
	if last {
		fork, below = "└─ ", "   "
	}
	t.indent = above + fork
	t.line(format, args...)
	t.indent = above + below
	return func() { t.indent = above }
}

// run draws one run.
func (t *trace) run(last bool, run hooks.Run) {
	title := fmt.Sprintf("%s %s", symbol(run.Status), run.Hook)
	where := string(run.Scope)
	if run.Source != "" {
		where += ", " + run.Source
	}
	detail := fmt.Sprintf(" (%s) %s, %s", where, shortTime(time.Duration(run.DurationUS)*time.Microsecond), run.Handler)
	if run.Mode != "" && run.Mode != hooks.ModeSync {
		detail += ", " + string(run.Mode)
	}
	if run.Instructions > 0 {
		detail += fmt.Sprintf(", %d instructions", run.Instructions)
	}
	switch run.Status {
	case hooks.StatusCompleted, hooks.StatusBlocked:
	default: // which the symbol alone doesn't say
		detail += ", " + string(run.Status)
	}
	defer t.branch(last, "%s%s", title, detail)()
	t.indent += "  "
	if c := run.Command; c != nil {
		state := fmt.Sprintf("exit status %d", c.ExitCode)
		if c.TimedOut {
			state += ", its time was over"
		}
		if c.Stderr != "" {
			state += "; stderr: " + c.Stderr
		}
		t.line("%s", state)
	}
	if e := run.Error; e != nil {
		kind := string(e.Kind)
		if e.Limit != "" {
			kind += ", " + string(e.Limit)
		}
		t.line("error (%s): %s", kind, e.Message)
		for _, text := range whereItFailed(e) {
			t.text.WriteString(t.indent + "  " + terminal.Printable(text) + "\n")
		}
	}
	for _, entry := range run.Entries {
		t.line("%s: %s", entry.Kind, entry.Text)
	}
}

// symbol stands for how a run ended.
func symbol(s hooks.Status) string {
	switch s {
	case hooks.StatusCompleted:
		return "✓"
	case hooks.StatusBlocked:
		return "✗"
	case hooks.StatusFailed:
		return "!"
	case hooks.StatusQueued:
		return "…"
	case hooks.StatusUncounted:
		return "~"
	}
	return "-"
}

// shortTime is a duration with three digits or so.
func shortTime(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
