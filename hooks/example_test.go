package hooks_test

import (
	"fmt"

	"github.com/luahook/luahook/hooks"
)

func ExampleParseEvent() {
	for _, name := range []string{"PreToolUse", "pre-tool-call", "AFTER_TOOL", "deploy.requested", "pre_tool_cal"} {
		event, err := hooks.ParseEvent(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(event)
	}
	// Output:
	// pre_tool_call
	// pre_tool_call
	// post_tool_call
	// deploy.requested
	// unknown event "pre_tool_cal"; did you mean "pre_tool_call"?
}

func ExampleParseMatcher() {
	m, err := hooks.ParseMatcher("bash|mcp__github__*")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range []string{"Shell", "run_shell_command", "mcp__github__create_issue", "Read"} {
		// Complete fills in the name under which hooks know the tool.
		c, err := (&hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: tool}}).Complete()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tool, m.Matches(c))
	}
	// Output:
	// Shell true
	// run_shell_command true
	// mcp__github__create_issue true
	// Read false
}

func ExampleMatchFields() {
	m, err := hooks.MatchFields(map[string]string{"kind": "edit|write", "path": ".env|secrets/**"})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := hooks.DecodeContext([]byte(`{"cwd": "/work/shop", "tool_call": {"name": "Write", "input": {"file_path": "/work/shop/config/.env"}}}`), hooks.PreToolCall)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m, m.Matches(c))
	// Output: {kind="edit|write", path=".env|secrets/**"} true
}

func ExampleDecodeContext() {
	c, err := hooks.DecodeContext([]byte(`{
		"event": "PreToolUse",
		"session_id": "s-1",
		"tool_call": {"name": "Shell", "input": {"command": ["git", "commit", "-m", "it works"]}},
		"permission_mode": "plan"
	}`), "")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Event, c.SessionID)
	fmt.Println(c.ToolCall.Name, c.ToolCall.HostName, c.ToolCall.Kind, c.ToolCall.Command)
	fmt.Println(c.Metadata["permission_mode"])

	_, err = hooks.DecodeContext([]byte(`{"event": "on_retry", "attempt": "second"}`), "")
	fmt.Println(err)
	// Output:
	// pre_tool_call s-1
	// bash Shell shell git commit -m 'it works'
	// plan
	// event: attempt: want integer, got string
}

func ExampleMerge() {
	var r hooks.Result
	hooks.Merge(&r, "style", &hooks.Result{NewContext: "use tabs"})
	hooks.Merge(&r, "quiet", nil)
	hooks.Merge(&r, "careful", &hooks.Result{Decision: hooks.Ask, Reason: "this pushes to main"})
	hooks.Merge(&r, "easy", &hooks.Result{Decision: hooks.Allow, NewContext: "main is protected"})
	fmt.Println(r.Decision, "because", r.Reason)
	for _, c := range r.Contexts {
		fmt.Printf("%s: %s\n", c.Hook, c.Text)
	}
	// Output:
	// ask because this pushes to main
	// style: use tabs
	// easy: main is protected
}
