package wire

import (
	"testing"

	"github.com/luahook/luahook/hooks"
)

// An http hook is told as JSON what a command says by its exit status or as plain text.
func TestForHTTP(t *testing.T) {
	deny := hooks.Result{Decision: hooks.Deny, Block: true, Reason: "no"}
	for _, c := range []struct {
		agent  *Agent
		golden string
		r      hooks.Result
		want   Output
	}{
		{&claude, "pre_tool_use", hooks.Result{}, silence},
		{&claude, "elicitation", deny, Output{Stdout: []byte(`{"hookSpecificOutput":{"action":"decline","hookEventName":"Elicitation"}}` + "\n")}},
		{&claude, "elicitation_result", deny,
			Output{Stdout: []byte(`{"hookSpecificOutput":{"action":"decline","hookEventName":"ElicitationResult"}}` + "\n")}},
		{&claude, "task_completed", deny, Output{Stderr: "no\n", Exit: 2}}, // which has no JSON for it
		{&copilot, "post_tool_use_failure", hooks.Result{}, silence},
		{&copilot, "post_tool_use_failure", hooks.Result{NewContext: "start redis"}, Output{Stdout: []byte(`{"additionalContext":"start redis"}` + "\n")}},
		{&copilot, "post_tool_use_failure", hooks.Result{Decision: hooks.Deny, Reason: "no", NewContext: "c"},
			Output{Stdout: []byte(`{"additionalContext":"no\nc"}` + "\n")}},
	} {
		call := callOfGolden(t, c.agent, c.golden)
		got := call.ForHTTP().Encode(&c.r)
		if string(got.Stdout) != string(c.want.Stdout) || got.Stderr != c.want.Stderr || got.Exit != c.want.Exit {
			t.Errorf("%s %s: %q %q %d, want %q %q %d", c.agent.Name, c.golden, got.Stdout, got.Stderr, got.Exit, c.want.Stdout, c.want.Stderr, c.want.Exit)
		}
		if call.http {
			t.Error("the call itself has changed")
		}
	}
}
