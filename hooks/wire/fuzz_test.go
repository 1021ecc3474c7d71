package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

func FuzzClaude(f *testing.F)   { fuzzAgent(f, &claude) }
func FuzzCline(f *testing.F)    { fuzzAgent(f, &cline) }
func FuzzCodex(f *testing.F)    { fuzzAgent(f, &codex) }
func FuzzCopilot(f *testing.F)  { fuzzAgent(f, &copilot) }
func FuzzCrush(f *testing.F)    { fuzzAgent(f, &crush) }
func FuzzCursor(f *testing.F)   { fuzzAgent(f, &cursor) }
func FuzzDroid(f *testing.F)    { fuzzAgent(f, &droid) }
func FuzzGemini(f *testing.F)   { fuzzAgent(f, &gemini) }
func FuzzKiro(f *testing.F)     { fuzzAgent(f, &kiro) }
func FuzzOpencode(f *testing.F) { fuzzAgent(f, &opencode) }
func FuzzQwen(f *testing.F)     { fuzzAgent(f, &qwen) }
func FuzzVSCode(f *testing.F)   { fuzzAgent(f, &vscode) }
func FuzzWindsurf(f *testing.F) { fuzzAgent(f, &windsurf) }

// fuzzAgent reads whatever an agent may send, beginning with its goldens. There is always a call. A denial blocks it
// where the event can be blocked, no opinion is silence, and every answer is in the agent's form.
func fuzzAgent(f *testing.F, agent *Agent) {
	for _, g := range goldensOf(f, agent) {
		f.Add(g.event, g.command)
	}
	for _, e := range agent.Events {
		for _, text := range []string{
			`{}`, `{`, `null`, `[[]]`, `"x"`, `{"tool_info":{"mcp_tool_name":1,"command_line":null}}`, `{"tool_name":"@/","tool_input":[]}`,
			`{"tool_name":"bash","tool_input":[1],"tool_response":null,"error":{}}`,
			`{"tool_name":"bash","tool_input":{"command":["a",{}]},"tool_response":{"success":"no"}}`,
			`{"event":{"type":1,"properties":{"info":[],"error":{"data":""}}}}`,
			`{"input":{"metadata":[],"model":{}},"output":{"parts":[null,{"text":1}]}}`,
			`{"input":{"tool":"x","args":"text"},"output":{"args":null,"content":[1],"metadata":{"exit":"1"}}}`,
			`{"tool_calls":[1,{"tool_name":"Bash","tool_input":"ls","status":"error"}]}`,
		} {
			f.Add([]byte(text), e.Name)
		}
	}
	for _, text := range []string{
		``, `null`, `[]`, `{`, `{"`, `{"hook_event_name":7}`, `{"hook_event_name":"New","tool_name":"x"}`, `{"hookName":"new"}`,
		`{"hook_event_name":"../x","tool_name":"Bash"}`,
		`{"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":"{\"command\":[]}"}`,
	} {
		f.Add([]byte(text), "")
	}
	f.Fuzz(func(t *testing.T, event []byte, name string) {
		call, err := agent.Decode(event, name)
		switch {
		case call == nil || call.Event == nil || call.Agent != agent:
			t.Fatalf("%+v can't be answered", call)
		case (err == nil) != (call.Context != nil):
			t.Fatalf("%v, and the context %+v", err, call.Context)
		case err != nil && strings.Contains(err.Error(), "\n"):
			t.Fatalf("an error of several lines: %q", err)
		}
		mustBeSilent(t, call)
		if call.Event.Can&Deny != 0 {
			mustBlock(t, call, call.Encode(&hooks.Result{Decision: hooks.Deny, Block: true}), "")
			mustBlock(t, call, call.Encode(&hooks.Result{Decision: hooks.Deny, Block: true, Reason: "it says no"}), "it says no")
		}
		inputs := []map[string]any{nil, {"command": "x", "prompt": "x", "tools": []any{"a"}}}
		if err == nil {
			if _, err := json.Marshal(call.Context); err != nil {
				t.Fatalf("can't be written: %v", err)
			}
			inputs = append(inputs, call.Context.Input())
		}
		for _, input := range inputs {
			for _, decision := range []hooks.Decision{hooks.NoOpinion, hooks.Allow, hooks.Ask, hooks.Deny} {
				mustBeInForm(t, call, call.Encode(&hooks.Result{
					Decision: decision, Reason: "why", Input: input, Output: map[string]any{"llmContent": []any{1.5}, "a": []any{nil}},
					NewContext: "see", Halt: true, StopReason: "stop", SystemMessage: "hello", Warnings: []string{"careful"},
				}))
				mustBeInForm(t, call, call.Encode(&hooks.Result{Decision: decision, Input: input, Output: "ok", NewContext: "c"}))
			}
		}
	})
}
