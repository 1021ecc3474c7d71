package hooks

import (
	"slices"
	"sync"
)

// agentKeys are the keys under which agents send the fields of an event in JSON of their own, each in the order in which they
// count. Package wire decodes by them; what nobody decodes is in metadata.
var agentKeys = []struct {
	field string
	keys  []string
}{
	{"event", []string{"hook_event_name", "hookEventName", "agent_action_name", "hookName", "event"}},
	{"session_id", []string{"session_id", "sessionId", "conversation_id", "trajectory_id", "taskId", "sessionID"}},
	{"cwd", []string{"cwd"}},
	{"root", []string{"workspace_roots", "workspaceRoots"}},
	{"model", []string{"model", "model_name", "model_id"}},
	{"prompt", []string{"prompt"}},
	{"response", []string{"last_assistant_message", "prompt_response", "assistant_response", "response", "text"}},
	{"tool_call.name", []string{"tool_name", "toolName"}},
	{"tool_call.input", []string{"tool_input", "toolArgs", "toolInput"}},
	{"tool_call.id", []string{"tool_use_id", "tool_call_id", "toolCallId"}},
	{"tool_call.output", []string{"tool_response", "tool_result", "toolResult", "tool_output"}},
	{"tool_call.duration_ms", []string{"duration_ms", "durationMs", "duration"}},
	{"error", []string{"error", "error_message", "errorMessage"}},
	{"loop_count", []string{"loop_count", "stop_hook_active"}},
	{"metadata.transcript_path", []string{"transcript_path", "transcriptPath"}},
	{"metadata.permission_mode", []string{"permission_mode", "permissionMode"}},

	// Of events that have such a field of their own.
	{"type", []string{"notification_type"}},
	{"summary", []string{"compact_summary"}},
	{"token_count", []string{"context_tokens"}},
	{"title", []string{"task_subject"}},
	{"description", []string{"task_description"}},
	{"agent_name", []string{"agent_type", "subagent_type", "agentName"}},
	{"result", []string{"summary"}},
	{"reason", []string{"stopReason"}},
}

// AgentKeys lists the keys under which agents send a field of an event, "tool_call.name", in JSON of their own: the first that
// is there counts. The slice is the caller's own.
func AgentKeys(field string) []string {
	for _, known := range agentKeys {
		if known.field == field {
			return slices.Clone(known.keys)
		}
	}
	return nil
}

// AgentField returns the field of an event that agents send under a key, "tool_call.name" for tool_name; "" where there is
// none. Not every event has it.
func AgentField(key string) string { return agentFields()[key] }

var agentFields = sync.OnceValue(func() map[string]string {
	fields := map[string]string{}
	for _, known := range agentKeys {
		for _, key := range known.keys {
			fields[key] = known.field
		}
	}
	return fields
})
