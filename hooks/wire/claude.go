package wire

import (
	"time"

	"github.com/luahook/luahook/hooks"
)

// claude is Claude Code, as of 2.1.329.
var claude = Agent{
	Name: "claude", Title: "Claude Code", status2: true, MaxText: 10_000, Folder: "CLAUDE_PROJECT_DIR", shellFolder: []string{},
	Events: []Event{
		{Name: "PreToolUse", Event: hooks.PreToolCall, Can: Deny | Ask | Allow | Rewrite | Context | Halt | Message},
		{Name: "PostToolUse", Event: hooks.PostToolCall, Can: Deny | Replace | Context | Halt | Message},
		{Name: "PostToolUseFailure", Event: hooks.PostToolCall, Can: Deny | Context | Halt | Message},
		{Name: "PostToolBatch", Event: hooks.PostToolBatch, Can: Deny | Context | Halt | Message},
		{Name: "PermissionRequest", Event: hooks.PermissionRequest, Can: Deny | Allow | Rewrite | Halt | Message},
		{Name: "PermissionDenied", Event: hooks.PermissionDenied, Can: Message},
		{Name: "UserPromptSubmit", Event: hooks.PrePrompt, Can: Deny | Context | Halt | Message, Timeout: 30 * time.Second},
		{Name: "UserPromptExpansion", Event: hooks.PrePrompt, Can: Deny | Context | Halt | Message},
		{Name: "SessionStart", Event: hooks.SessionStart, Can: Context | Halt | Message},
		{Name: "Setup", Event: hooks.Setup, Can: Context | Message},
		{Name: "SessionEnd", Event: hooks.SessionEnd, Timeout: 1500 * time.Millisecond}, // shared by all hooks
		{Name: "Stop", Event: hooks.Stop, Can: Deny | Halt | Message, Timeout: 10 * time.Minute},
		{Name: "StopFailure", Event: hooks.StopFailure},
		{Name: "SubagentStart", Event: hooks.SubagentStart, Can: Context | Halt | Message},
		{Name: "SubagentStop", Event: hooks.SubagentStop, Can: Deny | Halt | Message, Timeout: 10 * time.Minute},
		{Name: "PreCompact", Event: hooks.PreCompact, Can: Deny | Message},
		{Name: "PostCompact", Event: hooks.PostCompact, Can: Message},
		{Name: "Notification", Event: hooks.Notification},
		{Name: "TaskCreated", Event: hooks.TaskCreated, Can: Deny | Message},
		{Name: "TaskCompleted", Event: hooks.TaskCompleted, Can: Deny | Message},
		{Name: "PreModelSwitch", Event: "claude.pre_model_switch", Can: Deny | Ask | Allow | Message, Costly: true},
		{Name: "PostModelSwitch", Event: "claude.post_model_switch", Can: Context | Message, Costly: true},
		{Name: "Elicitation", Event: "claude.elicitation", Can: Deny, Costly: true},
		{Name: "ElicitationResult", Event: "claude.elicitation_result", Can: Deny, Costly: true},
		{Name: "TeammateIdle", Event: "claude.teammate_idle", Can: Deny | Halt | Message, Costly: true},
		{Name: "ConfigChange", Event: "claude.config_change", Can: Deny, Costly: true},
		{Name: "CwdChanged", Event: "claude.cwd_changed", Can: Message, Costly: true},
		{Name: "DirectoryAdded", Event: "claude.directory_added", Costly: true},
		{Name: "FileChanged", Event: "claude.file_changed", Can: Message, Costly: true},
		{Name: "InstructionsLoaded", Event: "claude.instructions_loaded", Costly: true},
		{Name: "WorktreeRemove", Event: "claude.worktree_remove", Costly: true},
		{Name: "MessageDisplay", Event: "claude.message_display", Timeout: 10 * time.Second, Costly: true},
	},
	prepare: prepareClaude, write: writeClaude,
}

func prepareClaude(event *Event, in object) {
	if event.Event == hooks.PostToolBatch {
		prepareBatch(in)
	}
}

// writeClaude puts a denial of the events that have no JSON for it on standard error, with exit status 2. A question
// of an MCP server can be declined in JSON, but then nobody is told why.
func writeClaude(c *Call, a *answer) Output {
	if a.decision == hooks.Deny {
		switch c.Event.Name {
		case "Elicitation", "ElicitationResult":
			if c.http {
				return asJSON(object{"hookSpecificOutput": map[string]any{"hookEventName": c.Event.Name, "action": "decline"}})
			}
			return byStatus(a)
		case "TaskCompleted", "TeammateIdle":
			return byStatus(a)
		}
	}
	return asJSON(claudeForm(c, a))
}

// claudeForm is an answer in the form of Claude Code, which most others have taken over.
func claudeForm(c *Call, a *answer) object {
	out, specific := object{}, object{}
	set(out, "systemMessage", a.message)
	set(specific, "additionalContext", a.context)
	if a.output != nil {
		specific["updatedToolOutput"] = shapedLike(c.Context.ToolCall.Output, a.output)
	}
	if a.halt {
		out["continue"] = false
		set(out, "stopReason", a.stop)
	}
	switch decided := a.decision != hooks.NoOpinion; {
	case c.Event.Event == hooks.PermissionRequest:
		if decision := permission(a); decision != nil {
			specific["decision"] = decision
			delete(out, "continue")
			delete(out, "stopReason")
		}
	case c.Event.Event == hooks.PreToolCall, c.Event.Can&Ask != 0: // an action that needs permission
		if decided {
			specific["permissionDecision"] = string(a.decision)
			set(specific, "permissionDecisionReason", a.reason)
		}
		if a.input != nil { // without a decision the agent asks or not as it would have
			specific["updatedInput"] = map[string]any(a.input)
		}
	case a.decision == hooks.Deny:
		out["decision"], out["reason"] = "block", a.reason
	}
	if len(specific) > 0 {
		specific["hookEventName"] = c.Event.Name
		out["hookSpecificOutput"] = map[string]any(specific)
	}
	return out
}

// permission is the decision of a PermissionRequest; nil for none.
func permission(a *answer) map[string]any {
	switch {
	case a.decision == hooks.Deny:
		decision := map[string]any{"behavior": "deny", "message": a.reason}
		if a.halt {
			decision["interrupt"] = true
		}
		return decision
	case a.decision == hooks.Allow && a.input != nil:
		return map[string]any{"behavior": "allow", "updatedInput": a.input}
	case a.decision == hooks.Allow:
		return map[string]any{"behavior": "allow"}
	}
	return nil
}
