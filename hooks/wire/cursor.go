package wire

import (
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
)

// cursor is Cursor, its editor and its command line, as documented in September 2026. It also runs the hooks that it
// finds in Claude Code's settings, under either agent's names for the events.
//
// A text of additional_context that is longer than MaxText is dropped whole. Hooks of the user run in ~/.cursor, those of
// a project in its folder.
var cursor = Agent{
	Name: "cursor", Title: "Cursor", status2: true, MaxText: 10_000, Folder: "CURSOR_PROJECT_DIR", shellFolder: []string{"workingdirectory"},
	Events: []Event{
		{Name: "preToolUse", Event: hooks.PreToolCall, Can: Deny | Allow | Rewrite}, // takes ask, and runs the tool
		// These follow preToolUse for the same call: with both, every hook would run twice.
		{Name: "beforeShellExecution", Event: hooks.PreToolCall, Can: Deny | Ask | Allow, Costly: true},
		{Name: "beforeMCPExecution", Event: hooks.PreToolCall, Can: Deny | Ask | Allow, Costly: true},
		{Name: "beforeReadFile", Event: hooks.PreToolCall, Can: Deny, Costly: true},
		{Name: "beforeTabFileRead", Event: hooks.PreToolCall, Can: Deny, Costly: true},
		{Name: "postToolUse", Event: hooks.PostToolCall, Can: Deny | Replace | Context}, // replaces that of MCP tools only
		{Name: "postToolUseFailure", Event: hooks.PostToolCall, Can: Deny | Context},
		{Name: "afterShellExecution", Event: hooks.PostToolCall, Costly: true}, // these follow postToolUse likewise
		{Name: "afterMCPExecution", Event: hooks.PostToolCall, Costly: true},
		{Name: "afterFileEdit", Event: hooks.PostToolCall, Costly: true},
		{Name: "afterTabFileEdit", Event: hooks.PostToolCall, Costly: true},
		{Name: "beforeSubmitPrompt", Event: hooks.PrePrompt, Can: Deny},
		{Name: "sessionStart", Event: hooks.SessionStart, Can: Context},
		{Name: "sessionEnd", Event: hooks.SessionEnd},
		{Name: "stop", Event: hooks.Stop, Can: Deny, Timeout: 10 * time.Minute},
		{Name: "subagentStart", Event: hooks.SubagentStart, Can: Deny},
		{Name: "subagentStop", Event: hooks.SubagentStop, Can: Deny, Timeout: 10 * time.Minute},
		{Name: "preCompact", Event: hooks.PreCompact, Can: Message},
		{Name: "afterAgentResponse", Event: hooks.PostResponse},
		{Name: "afterAgentThought", Event: "cursor.after_agent_thought", Costly: true},
		{Name: "workspaceOpen", Event: hooks.Setup},
	},
	prepare: prepareCursor,
	write:   writeCursor,
}

// prepareCursor makes tool calls of the events that are about a command, an MCP tool or a file.
func prepareCursor(event *Event, in object) {
	in.unpack("tool_input", "tool_output", "result_json")
	switch event.Name {
	case "beforeShellExecution", "afterShellExecution":
		callOf(in, "Shell", "command")
		in.move("output", "tool_response")
	case "beforeMCPExecution", "afterMCPExecution": // command is what starts the server
		nameMCP(in)
		in.move("result_json", "tool_response")
	case "beforeReadFile", "beforeTabFileRead":
		callOf(in, "Read", "file_path")
	case "afterFileEdit", "afterTabFileEdit":
		callOf(in, "Write", "file_path", "edits")
	case "postToolUse":
		if name, _ := in["tool_name"].(string); !isMCP(name) {
			event.Can &^= Replace
		}
	case "postToolUseFailure":
		in.fail(in.text("error_message"), in.text("failure_type"))
	case "subagentStart", "subagentStop":
		in.move("subagent_id", "agent_id")
		in.move("task", "prompt")
	case "stop":
		switch in["status"] {
		case "aborted":
			event.Event, event.Can = hooks.Interrupt, 0
		case "error":
			event.Event, event.Can = hooks.StopFailure, 0
		}
		in.move("status", "reason")
	}
}

// callOf makes a tool call of fields that stand in the event itself. Without the first of them there is no tool call.
func callOf(in object, tool string, fields ...string) {
	input := object{}
	for _, field := range fields {
		input.moveFrom(field, in, field)
	}
	delete(in, "tool_name")
	if input.has(fields[0]) {
		in["tool_name"], in["tool_input"] = tool, map[string]any(input)
	}
}

// nameMCP names the tool of an MCP server so that hooks see what it is.
func nameMCP(in object) {
	name, _ := in["tool_name"].(string)
	server, _ := in["mcp_server_name"].(string)
	switch {
	case name == "" || isMCP(name):
	case server != "":
		in["tool_name"] = mcpTool(server, name)
	default:
		in["tool_name"] = "MCP:" + name
	}
}

// isMCP reports whether a tool is one of an MCP server.
func isMCP(tool string) bool {
	lower := strings.ToLower(tool)
	return strings.HasPrefix(lower, "mcp:") || strings.HasPrefix(lower, "mcp__")
}

// writeCursor writes the fields that the event takes. Cursor blocks what has a permission if they don't fit, and
// ignores them elsewhere.
func writeCursor(c *Call, a *answer) Output {
	out := object{}
	switch c.Event.Event {
	case hooks.PreToolCall, hooks.SubagentStart:
		set(out, "permission", string(a.decision))
		switch c.Event.Name {
		case "beforeTabFileRead": // nobody is told why
			if a.reason != "" {
				c.notTold(a, "takes no reason", a.reason)
			}
		case "beforeReadFile", "subagentStart":
			set(out, "user_message", a.reason)
		default:
			set(out, "user_message", a.reason)
			set(out, "agent_message", a.reason)
		}
		if a.input != nil { // without a decision the user is asked or not as without a hook
			out["updated_input"] = a.input
		}
	case hooks.PrePrompt:
		if a.decision == hooks.Deny {
			out["continue"], out["user_message"] = false, a.reason
		}
	case hooks.Stop, hooks.SubagentStop:
		set(out, "followup_message", a.reason)
	default:
		set(out, "additional_context", c.feedback(a))
		set(out, "user_message", a.message)
		if a.output != nil {
			out["updated_mcp_tool_output"] = mcpResult(shapedLike(c.Context.ToolCall.Output, a.output))
		}
	}
	return asJSON(out)
}
