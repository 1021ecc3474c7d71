package show

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Explanation says how an event comes to be decided. As an observer of the engine that the event is fired at, it notes which
// hooks are skipped. Make one with [NewExplanation].
type Explanation struct {
	Context *hooks.Context  `json:"event"`
	Line    *Line           `json:"command,omitempty"`
	Hooks   []ExplainedHook `json:"hooks"`
	Left    []ListedHook    `json:"left_out"`
	Errors  []string        `json:"errors"`
	Result  *hooks.Result   `json:"result"`

	skipped map[int]string // why, by the hook's order
}

// NewExplanation is one of an event that is still to be fired.
func NewExplanation() *Explanation { return &Explanation{skipped: map[int]string{}} }

// ExplainedHook is a hook and what has come of it: runs, or why there is none.
type ExplainedHook struct {
	ListedHook
	Skipped string      `json:"skipped,omitempty"`
	Runs    []hooks.Run `json:"runs,omitempty"`
}

// RunStarted implements [engine.Observer].
func (x *Explanation) RunStarted(context.Context, hooks.Run) {}

// RunCompleted implements [engine.Observer].
func (x *Explanation) RunCompleted(context.Context, hooks.Run) {}

// HookSkipped notes why a hook doesn't run.
func (x *Explanation) HookSkipped(_ context.Context, hook engine.HookInfo, why string) {
	x.skipped[hook.Order] = why
}

// Fill puts together what is known when the event has been decided.
func (x *Explanation) Fill(e *engine.Engine, c *hooks.Context, r *hooks.Result) {
	x.Context, x.Result = c, r
	x.Hooks, x.Left, x.Errors = []ExplainedHook{}, []ListedHook{}, []string{}
	x.Line = Understand(c)
	runs := map[int][]hooks.Run{}
	for _, run := range r.Summary().Runs {
		runs[run.Order] = append(runs[run.Order], run)
	}
	for _, h := range e.Hooks() {
		switch {
		case h.Event != c.Event && h.Event != "":
		case h.Left != "" && len(runs[h.Order]) == 0:
			x.Left = append(x.Left, listed(h))
		default:
			one := ExplainedHook{ListedHook: listed(h), Runs: runs[h.Order], Skipped: x.skipped[h.Order]}
			if len(one.Runs) == 0 && one.Skipped == "" {
				one.Skipped = "a hook before it has denied"
			}
			delete(runs, h.Order)
			x.Hooks = append(x.Hooks, one)
		}
	}
	for _, rest := range runs { // files that can't be used: they fail as a hook of theirs would
		run := rest[0]
		x.Hooks = append(x.Hooks, ExplainedHook{
			ListedHook: ListedHook{Event: run.Event, Order: run.Order, Name: run.Hook, Scope: run.Scope, Source: run.Source, Handler: run.Handler, Mode: run.Mode},
			Runs:       rest,
		})
	}
	slices.SortFunc(x.Hooks, func(a, b ExplainedHook) int { return a.Order - b.Order })
	for _, err := range e.LoadErrors() {
		x.Errors = append(x.Errors, strings.TrimPrefix(err.Error(), "luahook: "))
	}
}

// Write prints the explanation, as text or as json.
func (x *Explanation) Write(w io.Writer, format string) error {
	if format == "json" {
		return terminal.WriteJSON(w, x)
	}
	_, err := io.WriteString(w, x.text(terminal.ColourOf(w)))
	return err
}
