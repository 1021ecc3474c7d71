package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/hooks"
)

// printResult writes a result as one line of JSON, or for people.
func printResult(w io.Writer, format string, c *hooks.Context, r *hooks.Result) error {
	if format == "json" {
		line, err := resultJSON(r)
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
		part("warning", text)
	}
	for _, run := range r.Summary.Runs {
		text := describeRun(run)
		if run.Error != nil && strings.Contains(r.Reason, run.Error.Message) { // a mistake is told once
			text = strings.TrimSuffix(text, ": "+run.Error.Message)
		}
		part("hook", text)
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

// describeRun is one run on one line, with its error.
func describeRun(run hooks.Run) string {
	text := fmt.Sprintf("%s (%s, %s): %s in %d µs", run.Hook, run.Scope, run.Source, run.Status, run.DurationUS)
	if run.Judging {
		text += ", judging what was rewritten"
	}
	if run.Error != nil {
		text += "; " + string(run.Error.Kind) + " error: " + run.Error.Message
	}
	return text
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

// hookLog writes what hooks print and log to standard error, a line each, with the
// place it comes from.
type hookLog struct{ out io.Writer }

func (h *hookLog) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }
func (h *hookLog) WithAttrs([]slog.Attr) slog.Handler               { return h }
func (h *hookLog) WithGroup(string) slog.Handler                    { return h }

func (h *hookLog) Handle(_ context.Context, r slog.Record) error {
	attrs := map[string]string{}
	r.Attrs(func(a slog.Attr) bool {
		attrs[a.Key] = a.Value.String()
		return true
	})
	place, message := cmp.Or(attrs["source"], "luahook"), r.Message
	if attrs["event"] != "" { // the engine's account of a run or a decision
		if attrs["mode"] != string(hooks.ModeAsync) {
			return nil // which is in the result
		}
		place, message = "luahook", fmt.Sprintf("hook %s (%s) failed in the background: %s", attrs["hook"], attrs["source"], attrs["message"])
	}
	if err := attrs["error"]; err != "" {
		message += ": " + err
	}
	level := ""
	if r.Level != slog.LevelInfo {
		level = strings.ToLower(r.Level.String()) + ": "
	}
	// Further lines are set off, so that none passes for a line of luahook's own.
	message = strings.ReplaceAll(terminal.Printable(message), "\n", "\n  ")
	_, err := fmt.Fprintf(h.out, "%s: %s%s\n", terminal.OneLine(place), level, message)
	return err
}
