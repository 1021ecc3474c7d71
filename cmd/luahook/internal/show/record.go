package show

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// maxAskedShown is how many characters of what a tool was called for stand in a line.
const maxAskedShown = 100

// Record is a record on one line: when, what was decided, of which event, what
// was asked for, by whom and why.
func Record(r *audit.Record) string {
	decision := cmp.Or(r.Decision, "-")
	var what []string
	switch r.Kind {
	case audit.KindNote:
		decision = "note"
		what = append(what, fmt.Sprintf("%s: %s", r.Hook, cmp.Or(r.Text, r.Note)))
		if len(r.Data) > 0 {
			what = append(what, asText(r.Data))
		}
	case audit.KindRun:
		decision = "async"
		what = append(what, Async(r))
	default:
		if asked := Asked(r); asked != "" {
			what = append(what, asked)
		}
		if why := Decider(r); why != "" {
			what = append(what, why)
		}
	}
	line := fmt.Sprintf("%s  %-5s  %-19s  %s", terminal.LocalTime(r.Time), terminal.OneLine(decision), terminal.OneLine(string(r.Event)), terminal.OneLine(strings.Join(what, "  <- ")))
	return strings.TrimRight(line, " ")
}

// Asked is the tool and what it was to do.
func Asked(r *audit.Record) string {
	if r.Tool == "" {
		return ""
	}
	given, _ := r.Context["tool_call"].(map[string]any)
	input, _ := given["input"].(map[string]any)
	text, err := hooks.EncodeJSON(map[string]any{"event": hooks.PreToolCall, "tool_call": map[string]any{"name": r.Tool, "input": input}})
	if err != nil {
		return r.Tool
	}
	c, err := hooks.DecodeContext(text, "")
	if err != nil {
		return r.Tool
	}
	return callInWords(c)
}

// Decider is who has decided and why, and what has failed.
func Decider(r *audit.Record) string {
	who := ""
	var failed, rewrote []string
	for i := range r.Runs {
		run := &r.Runs[i]
		switch {
		case run.Status == string(hooks.StatusBlocked), run.Decision != "" && run.Decision == r.Decision:
			who = cmp.Or(who, run.Hook)
		case run.Status == string(hooks.StatusFailed):
			failed = append(failed, run.Hook+" failed")
		}
		if run.Modified {
			rewrote = append(rewrote, run.Hook)
		}
	}
	text := r.Reason
	if who != "" && text != "" {
		text = who + ": " + text
	}
	if len(failed) > 0 && who == "" {
		text = strings.TrimRight(strings.Join(failed, ", ")+": "+text, ": ")
	}
	if len(rewrote) > 0 {
		text = strings.TrimLeft(text+", rewritten by "+strings.Join(rewrote, ", "), ", ")
	}
	return text
}

// Async is what the hooks of a record came to that nobody waited for.
func Async(r *audit.Record) string {
	var all []string
	for i := range r.Runs {
		all = append(all, describeAsync(&r.Runs[i]))
	}
	return strings.Join(all, "; ")
}

// describeAsync is what a run came to that nobody waited for.
func describeAsync(run *audit.Run) string {
	text := fmt.Sprintf("%s %s in %s", run.Hook, run.Status, shortTime(time.Duration(run.DurationUS)*time.Microsecond))
	if run.Error != nil {
		text += ": " + run.Error.Message
	}
	return text
}
