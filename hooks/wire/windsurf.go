package wire

import (
	"strings"

	"github.com/luahook/luahook/hooks"
)

// windsurf is Windsurf's Cascade. It reads nothing but the exit status of an event that begins with pre_: 2 blocks
// it, and the agent is told what is on standard error.
var windsurf = Agent{
	Name: "windsurf", Title: "Windsurf", shellFolder: []string{"cwd"},
	Events: []Event{
		{Name: "pre_run_command", Event: hooks.PreToolCall, Can: Deny},
		{Name: "pre_read_code", Event: hooks.PreToolCall, Can: Deny},
		{Name: "pre_write_code", Event: hooks.PreToolCall, Can: Deny},
		{Name: "pre_mcp_tool_use", Event: hooks.PreToolCall, Can: Deny},
		{Name: "pre_user_prompt", Event: hooks.PrePrompt, Can: Deny},
		{Name: "post_run_command", Event: hooks.PostToolCall},
		{Name: "post_read_code", Event: hooks.PostToolCall},
		{Name: "post_write_code", Event: hooks.PostToolCall},
		{Name: "post_mcp_tool_use", Event: hooks.PostToolCall},
		{Name: "post_cascade_response", Event: hooks.PostResponse},
		{Name: "post_cascade_response_with_transcript", Event: hooks.PostResponse, Costly: true},
		{Name: "post_setup_worktree", Event: "windsurf.post_setup_worktree", Costly: true},
	},
	prepare: prepareWindsurf, write: writeStatus,
}

// prepareWindsurf makes a tool call of tool_info, where the event is one. Without what the call is about there is no
// tool_name, and the event is refused.
func prepareWindsurf(event *Event, in object) {
	info := in.inner("tool_info")
	call := func(tool string, input any) { in["tool_name"], in["tool_input"] = tool, input }
	_, action, _ := strings.Cut(event.Name, "_")
	switch action {
	case "run_command":
		if command := info.text("command_line"); command != "" {
			info["command"] = command
			if folder, ok := info["cwd"].(string); ok && !in.has(folderKeys...) {
				in["cwd"] = folder
			}
			call(action, map[string]any(info))
		}
		return
	case "read_code", "write_code":
		if info.has("file_path") {
			call(action, map[string]any(info))
		}
		return
	case "mcp_tool_use":
		server, tool := info.text("mcp_server_name"), info.text("mcp_tool_name")
		arguments, _ := info.take("mcp_tool_arguments")
		if server != "" && tool != "" {
			call(mcpTool(server, tool), arguments)
		}
		in.moveFrom("tool_response", info, "mcp_result")
	default:
		set(in, "prompt", info.text("user_prompt"))
		set(in, "response", info.text("response"))
	}
	in.putBack("tool_info", info)
}

// writeStatus is how an agent is answered that only knows exit status 2 with a text on standard error.
func writeStatus(_ *Call, a *answer) Output {
	if a.decision == hooks.Deny {
		return byStatus(a)
	}
	return silence
}
