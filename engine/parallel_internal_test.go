package engine

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// What becomes of a run beside which another one has denied.
func TestUncount(t *testing.T) {
	failure := &hooks.Error{Kind: hooks.KindHost, Message: "out of order", SystemMessage: "look here"}
	tests := []struct {
		name    string
		attempt hookCall
		status  hooks.Status // before
		ended   bool
		want    string
	}{
		{"it never began", hookCall{failure: failure}, hooks.StatusFailed, true, `skipped [{"kind":"warning","text":"skipped: a parallel hook before it has denied"}] false`},
		{"it was skipped", hookCall{}, hooks.StatusSkipped, true, `skipped null false`},
		{"it had answered", hookCall{began: true, result: &hooks.Result{NewContext: "c", SystemMessage: "m"}}, hooks.StatusCompleted, true,
			`uncounted [{"kind":"warning","text":"its answer doesn't count: a parallel hook before it has denied"},{"kind":"context","text":"c"},{"kind":"message","text":"m"}] false`},
		{"it had no opinion", hookCall{began: true}, hooks.StatusCompleted, false, `uncounted [{"kind":"warning","text":"its answer doesn't count: a parallel hook before it has denied"}] false`},
		{"it had failed", hookCall{began: true, failure: failure}, hooks.StatusFailed, false,
			`uncounted [{"kind":"warning","text":"its failure doesn't count: a parallel hook before it has denied"},{"kind":"message","text":"look here"}] true`},
		{"it was ended", hookCall{began: true, failure: failure}, hooks.StatusFailed, true, `uncounted [{"kind":"warning","text":"ended: a parallel hook before it has denied"}] false`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run := &hookRun{hook: &hook{}, status: status(slices.Index(statuses[:], tt.status))}
			if tt.attempt.failure != nil {
				run.end(run.status, tt.attempt.failure.RunError())
			}
			tt.attempt.run = run
			(&firing{event: &hooks.Context{Event: hooks.PreToolCall}}).discard(&hook{}, &tt.attempt, tt.ended)
			entries, err := json.Marshal(run.describe("", 0).Entries)
			if err != nil {
				t.Fatal(err)
			}
			kept := "false"
			if run.failed() {
				kept = "true"
			}
			if got := string(statuses[run.status]) + " " + string(entries) + " " + kept; got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
