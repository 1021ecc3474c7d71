package wire

import (
	"strings"

	"github.com/luahook/luahook/hooks"
)

// kiro is Kiro, with hook files of version 1 and those of its command line before 3.0. It reads no JSON: what is on
// standard output is context for the model, and exit status 2 blocks three of the events with what is on standard
// error.
var kiro = Agent{
	Name: "kiro", Title: "Kiro",
	Events: []Event{
		{Name: "PreToolUse", Event: hooks.PreToolCall, Can: Deny | Context},
		{Name: "PostToolUse", Event: hooks.PostToolCall, Can: Deny | Context}, // exit status 2 is a warning there
		{Name: "UserPromptSubmit", Event: hooks.PrePrompt, Can: Deny | Context},
		{Name: "SessionStart", Event: hooks.SessionStart, Can: Context}, // agentSpawn before 3.0
		{Name: "SessionEnd", Event: hooks.SessionEnd},
		{Name: "Stop", Event: hooks.Stop, Can: Context},
		{Name: "PreTaskExec", Event: hooks.TaskCreated, Can: Deny | Context},
		{Name: "PostTaskExec", Event: hooks.TaskCompleted, Can: Context},
		{Name: "PostFileCreate", Event: "kiro.post_file_create", Can: Context, Costly: true},
		{Name: "PostFileSave", Event: "kiro.post_file_save", Can: Context, Costly: true},
		{Name: "PostFileDelete", Event: "kiro.post_file_delete", Can: Context, Costly: true},
		{Name: "Manual", Event: "kiro.manual", Can: Context, Costly: true},
	},
	prepare: prepareKiro, write: writeKiro,
}

// prepareKiro writes the names of MCP tools as others do: @server/tool. A response says whether the tool has failed.
func prepareKiro(_ *Event, in object) {
	name, _ := in["tool_name"].(string)
	if server, tool, ok := strings.Cut(strings.TrimPrefix(name, "@"), "/"); ok && name[0] == '@' {
		in["tool_name"] = mcpTool(server, tool)
	}
	response, _ := in["tool_response"].(map[string]any)
	if done, ok := response["success"].(bool); ok && !done && !in.has(errorKeys...) {
		in["error"] = "the tool has failed"
	}
}

// writeKiro writes an answer. Of a tool call that is over, the model is told what is wrong with it.
func writeKiro(c *Call, a *answer) Output {
	if c.Event.Event == hooks.PostToolCall {
		c.denialIsFeedback(a)
	}
	if a.decision == hooks.NoOpinion && a.context != "" {
		return Output{Stdout: []byte(a.context + "\n")}
	}
	return writeStatus(c, a)
}
