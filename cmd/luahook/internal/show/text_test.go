package show

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// A line of the log names who has asked, and who has rewritten.
func TestRecordNamesHooks(t *testing.T) {
	ask := audit.Record{Kind: audit.KindDecision, Event: hooks.PreToolCall, Decision: "ask", Reason: "sure?", Runs: []audit.Run{
		{Hook: "quiet", Status: "completed"}, {Hook: "careful", Status: "completed", Decision: "ask"},
	}}
	if got := Record(&ask); !strings.HasSuffix(got, "careful: sure?") {
		t.Errorf("%q", got)
	}
	rewritten := audit.Record{Kind: audit.KindDecision, Event: hooks.PreToolCall, Runs: []audit.Run{{Hook: "pnpm", Status: "completed", Modified: true}}}
	if got := Record(&rewritten); !strings.HasSuffix(got, "rewritten by pnpm") {
		t.Errorf("%q", got)
	}
}

// Why hooks are limited is said once, however many are.
func TestExplanationSaysALimitOnce(t *testing.T) {
	const why = "the project isn't trusted"
	x := NewExplanation()
	x.Context, x.Result = &hooks.Context{Event: hooks.Stop}, &hooks.Result{}
	for _, name := range []string{"a", "b", "c"} {
		run := hooks.Run{Hook: name, Status: hooks.StatusCompleted}
		x.Hooks = append(x.Hooks, ExplainedHook{ListedHook: ListedHook{Name: name, Limited: why}, Runs: []hooks.Run{run}})
	}
	if got := x.text(false); strings.Count(got, why) != 1 || strings.Count(got, "it may only deny, ask and inform") != 3 {
		t.Error(got)
	}
}
