package wire

import (
	"time"

	"github.com/luahook/luahook/hooks"
)

// copilot is GitHub Copilot, its command line and its cloud agent. How the event is spelled where the hook is
// configured decides about the form of what it sends: under preToolUse the keys are in camel case and don't say which
// event it is, under PreToolUse they are those of Claude Code. Answers are the same for both. Exit status 2 is a
// warning for most events, so that a denial is JSON.
//
// What several hooks add to a tool's output is cut to 10 KB.
var copilot = Agent{
	Name: "copilot", Title: "GitHub Copilot", MaxText: 10_000,
	Events: []Event{
		{Name: "preToolUse", Event: hooks.PreToolCall, Can: Deny | Ask | Allow | Rewrite},
		{Name: "permissionRequest", Event: hooks.PermissionRequest, Can: Deny | Allow | Halt},
		{Name: "postToolUse", Event: hooks.PostToolCall, Can: Deny | Replace | Context},
		{Name: "postToolUseFailure", Event: hooks.PostToolCall, Can: Deny | Context},
		{Name: "userPromptSubmitted", Event: hooks.PrePrompt}, // drops what a command answers
		{Name: "sessionStart", Event: hooks.SessionStart, Can: Context},
		{Name: "sessionEnd", Event: hooks.SessionEnd},
		{Name: "agentStop", Event: hooks.Stop, Can: Deny, Timeout: 10 * time.Minute},
		{Name: "subagentStart", Event: hooks.SubagentStart, Can: Context},
		{Name: "subagentStop", Event: hooks.SubagentStop, Can: Deny, Timeout: 10 * time.Minute},
		{Name: "preCompact", Event: hooks.PreCompact},
		{Name: "errorOccurred", Event: hooks.OnError},
		{Name: "notification", Event: hooks.Notification, Can: Context},
	},
	prepare: prepareCopilot,
	write:   writeCopilot,
}

func prepareCopilot(event *Event, in object) {
	in.unpack("toolArgs", "tool_input")
	in.move("agentId", "agent_id")
	in.move("initialPrompt", "prompt")
	in.move("initial_prompt", "prompt")
	if event.Event == hooks.Stop {
		in.move("stop_reason", "reason")
	}
	if failure, ok := in["error"].(map[string]any); ok && in.has("recoverable") {
		failure["is_retryable"], _ = in.take("recoverable")
	}
	for _, key := range []string{"toolResult", "tool_result"} {
		result := in.inner(key)
		in.moveFrom("tool_response", result, "textResultForLlm", "text_result_for_llm")
		if kind := result.text("resultType", "result_type"); kind != "" && kind != "success" && !in.has(errorKeys...) {
			in.fail(in["tool_response"], kind)
		}
		in.putBack(key, result)
	}
}

func writeCopilot(c *Call, a *answer) Output {
	out := object{}
	switch c.Event.Event {
	case hooks.PreToolCall:
		set(out, "permissionDecision", string(a.decision))
		set(out, "permissionDecisionReason", a.reason)
		if a.input != nil { // without a decision the user is asked or not as without a hook
			out["modifiedArgs"] = a.input
		}
	case hooks.PermissionRequest:
		out = permission(a)
	case hooks.Stop, hooks.SubagentStop:
		if a.decision == hooks.Deny {
			out["decision"], out["reason"] = "block", a.reason
		}
	default:
		context := c.feedback(a)
		if c.Event.Name == "postToolUseFailure" && context != "" && !c.http { // a command says it in plain text
			return Output{Stdout: []byte(context + "\n"), Exit: 2}
		}
		set(out, "additionalContext", context)
		if a.output != nil {
			out["modifiedResult"] = map[string]any{"resultType": "success", "textResultForLlm": asText(a.output)}
		}
	}
	return asJSON(out)
}
