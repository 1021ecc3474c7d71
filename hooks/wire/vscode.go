package wire

import (
	"time"

	"github.com/luahook/luahook/hooks"
)

// vscode is the agent of VS Code. Its answers are those of Claude Code, but for the place of a decision about Stop.
// An event that knows no decision can be denied by ending the turn.
var vscode = Agent{
	Name: "vscode", Title: "VS Code", status2: true, shellFolder: []string{},
	Events: []Event{
		{Name: "PreToolUse", Event: hooks.PreToolCall, Can: Deny | Ask | Allow | Rewrite | Context | Halt | Message},
		{Name: "PostToolUse", Event: hooks.PostToolCall, Can: Deny | Context | Halt | Message},
		{Name: "UserPromptSubmit", Event: hooks.PrePrompt, Can: Halt | Message},
		{Name: "SessionStart", Event: hooks.SessionStart, Can: Context | Halt | Message},
		{Name: "Stop", Event: hooks.Stop, Can: Deny | Halt | Message, Timeout: 10 * time.Minute},
		{Name: "SubagentStart", Event: hooks.SubagentStart, Can: Context | Halt | Message},
		{Name: "SubagentStop", Event: hooks.SubagentStop, Can: Deny | Halt | Message, Timeout: 10 * time.Minute},
		{Name: "PreCompact", Event: hooks.PreCompact, Can: Halt | Message},
	},
	write: writeVSCode,
}

func writeVSCode(c *Call, a *answer) Output {
	out := claudeForm(c, a)
	if c.Event.Event == hooks.Stop && a.decision == hooks.Deny {
		delete(out, "decision")
		delete(out, "reason")
		out["hookSpecificOutput"] = map[string]any{"hookEventName": c.Event.Name, "decision": "block", "reason": a.reason}
	}
	return asJSON(out)
}
