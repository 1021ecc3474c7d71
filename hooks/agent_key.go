package hooks

import (
	"slices"
	"sync"
)

// agentKeys are the keys under which agents send the fields of an event in JSON of their own, each in the order in which they
// count. Package wire decodes by them; what nobody decodes is in metadata.
var agentKeys = map[string][]string{
	"event":                    {"hook_event_name", "hookEventName", "agent_action_name", "hookName", "event"},
	"session_id":               {"session_id", "sessionId", "conversation_id", "trajectory_id", "taskId", "sessionID"},
	"cwd":                      {"cwd"},
	"root":                     {"workspace_roots", "workspaceRoots"},
	"model":                    {"model", "model_name", "model_id"},
	"prompt":                   {"prompt"},
	"response":                 {"last_assistant_message", "prompt_response", "assistant_response", "response", "text"},
	"tool_call.name":           {"tool_name", "toolName"},
	"tool_call.input":          {"tool_input", "toolArgs", "toolInput"},
	"tool_call.id":             {"tool_use_id", "tool_call_id", "toolCallId"},
	"tool_call.output":         {"tool_response", "tool_result", "toolResult", "tool_output"},
	"tool_call.duration_ms":    {"duration_ms", "durationMs", "duration"},
	"error":                    {"error", "error_message", "errorMessage"},
	"loop_count":               {"loop_count", "stop_hook_active"},
	"metadata.transcript_path": {"transcript_path", "transcriptPath"},
	"metadata.permission_mode": {"permission_mode", "permissionMode"},

	// Of events that have such a field of their own.
	"type":        {"notification_type"},
	"summary":     {"compact_summary"},
	"token_count": {"context_tokens"},
	"title":       {"task_subject"},
	"description": {"task_description"},
	"agent_name":  {"agent_type", "subagent_type", "agentName"},
	"result":      {"summary"},
	"reason":      {"stopReason"},
}

// AgentKeys lists the keys under which agents send a field of an event, "tool_call.name", in JSON of their own: the first that
// is there counts. The slice is the caller's own.
func AgentKeys(field string) []string { return slices.Clone(agentKeys[field]) }

// AgentField returns the field of an event that agents send under a key, "tool_call.name" for tool_name; "" where there is
// none. Not every event has it.
func AgentField(key string) string { return agentFields()[key] }

var agentFields = sync.OnceValue(func() map[string]string {
	fields := map[string]string{}
	for field, keys := range agentKeys {
		for _, key := range keys {
			fields[key] = field
		}
	}
	return fields
})
