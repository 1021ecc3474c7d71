package hooks_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// TestAgentField: the keys that agents send lead to fields that events have.
func TestAgentField(t *testing.T) {
	for key, want := range map[string]string{
		"tool_name": "tool_call.name", "tool_input": "tool_call.input", "tool_response": "tool_call.output", "hook_event_name": "event",
		"transcript_path": "metadata.transcript_path", "sessionId": "session_id", "nonsense": "",
	} {
		if got := hooks.AgentField(key); got != want {
			t.Errorf("AgentField(%q) = %q, want %q", key, got, want)
		}
		if want == "" || strings.HasPrefix(want, "metadata.") {
			continue
		}
		root, part, _ := strings.Cut(want, ".")
		if _, known := (&hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{}}).Value(root); !known {
			t.Errorf("pre_tool_call has no %s", root)
		}
		if _, known := (&hooks.ToolCall{}).Value(part); part != "" && !known {
			t.Errorf("a tool call has no %s", part)
		}
	}
	if keys := hooks.AgentKeys("tool_call.name"); len(keys) == 0 || keys[0] != "tool_name" {
		t.Errorf("AgentKeys(tool_call.name) = %q", keys)
	}
}
