package engine_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// badDenies are answers that deny and can't be used.
var badDenies = []struct {
	name, cause string
	answer      hooks.Result
}{
	{"block", "no output to replace", hooks.Result{Block: true, Reason: "no", Output: "x"}},
	{"decision", "no output to replace", hooks.Result{Decision: hooks.Deny, Reason: "no", Output: "x"}},
	{"contradiction", "Block contradicts", hooks.Result{Block: true, Decision: hooks.Allow, Reason: "no"}},
	{"contexts twice", "set one of them", hooks.Result{Decision: hooks.Deny, Reason: "no", NewContext: "x", Contexts: []hooks.ContextEntry{{Text: "x"}}}},
}

// A deny stays one, whatever else is wrong with the answer and whatever on_failure says.
func TestBadAnswerThatDenies(t *testing.T) {
	for _, bad := range badDenies {
		for _, policy := range []hooks.Policy{"", hooks.Block, hooks.Warn, hooks.Ignore} {
			t.Run(bad.name+"/"+string(policy), func(t *testing.T) {
				e := newEngine(t)
				register(t, e, hooks.PreModelCall, hooks.Options{Name: "guard", OnFailure: policy}, answer(&bad.answer, nil))
				r := fire(t, e, &hooks.Context{Event: hooks.PreModelCall})
				equal(t, "outcome", outcome(t, r), "block")
				contains(t, r.Reason, "hook guard denied this at main_test.go:", "with an answer that can't be used as it stands: answer", bad.cause, "Fix the hook")
				run := r.Summary().Runs[0]
				if run.Status != hooks.StatusFailed || run.Error == nil || run.Error.Kind != hooks.KindResult {
					t.Errorf("run: %s", asJSON(t, run))
				}
				equal(t, "entries", asJSON(t, run.Entries), `[{"kind":"error","text":"blocked: its answer was a deny"}]`)
			})
		}
	}
}

// Where a deny can't block, or would only keep an agent going, on_failure holds.
func TestBadAnswerThatDeniesWhereNothingIsBlocked(t *testing.T) {
	for _, event := range []hooks.Event{hooks.PostResponse, hooks.Stop} {
		for policy, want := range map[hooks.Policy]string{hooks.Block: "warn", hooks.Warn: "warn", hooks.Ignore: "ignore"} {
			e := newEngine(t)
			register(t, e, event, hooks.Options{Name: "guard", OnFailure: policy}, answer(&hooks.Result{Decision: hooks.Deny, Output: "x"}, nil))
			equal(t, string(event), outcome(t, fire(t, e, &hooks.Context{Event: event})), want)
		}
	}
}

// A deny with a rewrite that doesn't fit the call is a deny as well.
func TestDenyWithABadRewrite(t *testing.T) {
	e := newEngine(t)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "guard", OnFailure: hooks.Ignore},
		answer(&hooks.Result{Decision: hooks.Deny, Reason: "no", Input: map[string]any{"command": make(chan int)}}, nil))
	r := fire(t, e, bash("ls"))
	if !r.Block {
		t.Fatalf("not blocked: %s", strings.Join(r.Warnings, ""))
	}
	contains(t, r.Reason, "hook guard denied this")
}
