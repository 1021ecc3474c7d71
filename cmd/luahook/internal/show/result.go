// Package show has what people and programs read of what hooks do: results, runs, explanations, lists, what stands before a trust.
package show

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/hooks"
)

// Result writes a result as one line of JSON, or for people.
func Result(w io.Writer, format string, c *hooks.Context, r *hooks.Result) error {
	if format == "json" {
		line, err := hooks.EncodeJSON(r)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n", line)
		return err
	}
	var b strings.Builder
	decision := string(r.Decision)
	if r.Decision == hooks.NoOpinion {
		decision = "no objection"
	}
	fmt.Fprintf(&b, "%s: %s", c.Event, decision)
	if call := callInWords(c); call != "" {
		fmt.Fprintf(&b, " (%s)", terminal.OneLine(call))
	}
	b.WriteString("\n")
	part := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-9s %s\n", name, strings.ReplaceAll(text, "\n", "\n            "))
		}
	}
	part("reason", r.Reason)
	if r.Input != nil {
		part("input", asText(r.Input))
	}
	if r.Output != nil {
		part("output", asText(r.Output))
	}
	for _, entry := range r.Contexts {
		part("context", entry.Text+"  ["+entry.Hook+"]")
	}
	if r.Halt {
		part("halt", cmp.Or(r.StopReason, "the turn ends here"))
	}
	part("message", r.SystemMessage)
	if r.Data != nil {
		part("data", asText(r.Data))
	}
	for _, text := range r.Warnings {
		if !hasFailed(r, text) {
			part("warning", text)
		}
	}
	for _, run := range r.Summary().Runs {
		part("hook", describeRun(run, r))
	}
	_, err := io.WriteString(w, terminal.Printable(b.String()))
	return err
}

// callInWords is the tool of an event and what it is to do; "" where there is none.
func callInWords(c *hooks.Context) string {
	if c.ToolCall == nil {
		return ""
	}
	done, err := c.Complete()
	if err != nil {
		return c.ToolCall.Name
	}
	t := done.ToolCall
	asked := cmp.Or(t.Command, strings.Join(t.Paths, ", "))
	if asked == "" && len(t.Input) > 0 {
		asked = asText(t.Input)
	}
	if asked == "" {
		return t.Name
	}
	if runes := []rune(terminal.OneLine(asked)); len(runes) > maxAskedShown {
		asked = string(runes[:maxAskedShown]) + " ..."
	}
	return t.Name + ": " + asked
}

// eventInWords is what an event is about: a call of a tool, a prompt.
func eventInWords(c *hooks.Context) string {
	if call := callInWords(c); call != "" {
		return call
	}
	if runes := []rune(terminal.OneLine(c.Prompt)); len(runes) > maxAskedShown {
		return string(runes[:maxAskedShown]) + " ..."
	}
	return c.Prompt
}

// describeRun is one run on one line, with its error unless the result's reason has it already, and where that happened.
func describeRun(run hooks.Run, r *hooks.Result) string {
	text := fmt.Sprintf("%s (%s, %s): %s in %s", run.Hook, run.Scope, run.Source, run.Status, shortTime(time.Duration(run.DurationUS)*time.Microsecond))
	if run.Judging {
		text += ", judging what was rewritten"
	}
	if e := run.Error; e != nil {
		if strings.Contains(r.Reason, strings.TrimPrefix(e.Message, e.Source+": ")) { // it has been said
			text += "; " + string(e.Kind) + " error"
		} else {
			text += "; " + describeError(e)
		}
		if e.Snippet != "" && !strings.Contains(r.Reason, e.Snippet) {
			text += "\n" + strings.Join(whereItFailed(e), "\n")
		}
	}
	return text
}

// hasFailed reports whether a warning tells of a failure that is shown with its run.
func hasFailed(r *hooks.Result, warning string) bool {
	return slices.ContainsFunc(r.Summary().Runs, func(run hooks.Run) bool {
		e := run.Error
		return e != nil && (warning == "not loaded: "+e.Message || warning == fmt.Sprintf("hook %s (%s): %s", run.Hook, e.Source, e.Message))
	})
}

// describeError is why a run has failed, and where.
func describeError(e *hooks.RunError) string {
	text := string(e.Kind) + " error"
	if e.Source != "" && !strings.HasPrefix(e.Message, e.Source) {
		text += " at " + e.Source
	}
	return text + ": " + e.Message
}

// whereItFailed are the line of a script at fault and how it was come to.
func whereItFailed(e *hooks.RunError) []string {
	var lines []string
	for _, text := range []string{e.Snippet, e.Traceback} {
		if text != "" {
			lines = append(lines, strings.Split(strings.ReplaceAll(text, "\t", "  "), "\n")...)
		}
	}
	return lines
}

func asText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	line, err := hooks.EncodeJSON(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(line)
}
