package wire

import (
	"cmp"
	"time"

	"github.com/luahook/luahook/hooks"
)

// cline is Cline, its command line as of 3.0.65 and its extensions. A hook is an executable file with the event's
// name. Only what stands in the JSON on standard output counts, whatever the exit status. A denial ends the whole run
// and the model isn't told why: there is no other.
//
// The extensions listen to the hooks of the start of a task and of a prompt; the command line doesn't.
var cline = Agent{
	Name: "cline", Title: "Cline", MaxText: 50_000, shellFolder: []string{},
	Events: []Event{
		{Name: "PreToolUse", Alias: "tool_call", Event: hooks.PreToolCall, Can: Deny | Rewrite | Context | Halt, Timeout: clineTimeout},
		{Name: "PostToolUse", Alias: "tool_result", Event: hooks.PostToolCall, Can: Deny | Context | Halt, Timeout: clineTimeout},
		{Name: "UserPromptSubmit", Alias: "prompt_submit", Event: hooks.PrePrompt, Can: Deny | Context | Halt, Timeout: clineTimeout},
		{Name: "TaskStart", Alias: "agent_start", Event: hooks.SessionStart, Can: Deny | Context | Halt, Timeout: clineTimeout},
		{Name: "TaskResume", Alias: "agent_resume", Event: hooks.SessionStart, Can: Deny | Context | Halt, Timeout: clineTimeout},
		{Name: "TaskComplete", Alias: "agent_end", Event: hooks.Stop, Timeout: clineTimeout},
		{Name: "TaskCancel", Alias: "agent_abort", Event: hooks.Interrupt, Timeout: clineTimeout},
		{Name: "TaskError", Alias: "agent_error", Event: hooks.StopFailure, Timeout: clineTimeout},
		{Name: "SessionShutdown", Alias: "session_shutdown", Event: hooks.SessionEnd, Timeout: clineTimeout},
		{Name: "PreCompact", Event: hooks.PreCompact, Timeout: clineTimeout},
		{Name: "Notification", Event: hooks.Notification, Timeout: clineTimeout},
	},
	prepare: prepareCline,
	write:   writeCline,
}

// clineTimeout is that of the extensions; the command line waits for two minutes.
const clineTimeout = 30 * time.Second

// prepareCline takes the fields out of the object that each event has of its own. The command line sends a tool call
// twice, whole and as the extensions do, with JSON in texts; the whole one counts.
func prepareCline(event *Event, in object) {
	switch event.Name {
	case "PreToolUse", "PostToolUse":
		clineCall(event, in)
	case "UserPromptSubmit":
		own := in.inner("userPromptSubmit")
		set(in, "prompt", own.text("prompt"))
		in.putBack("userPromptSubmit", own)
	case "TaskStart":
		in["source"] = "startup"
	case "TaskResume":
		in["source"] = "resume"
	case "TaskComplete":
		turn := in.inner("turn")
		set(in, "response", turn.text("outputText"))
		set(in, "reason", turn.text("status"))
		in.putBack("turn", turn)
	case "Notification":
		own := in.inner("notification")
		set(in, "type", own.text("event"))
		set(in, "message", own.text("message"))
		in.putBack("notification", own)
	}
	if in.has("sessionContext") && event.Event != hooks.PreToolCall && event.Event != hooks.PostToolCall {
		event.Can = 0
	}
}

// clineCall makes a tool call of an event.
func clineCall(event *Event, in object) {
	wholeKey, saidKey := "tool_call", "preToolUse"
	if event.Event == hooks.PostToolCall {
		wholeKey, saidKey = "tool_result", "postToolUse"
	}
	whole, said := in.inner(wholeKey), in.inner(saidKey)
	set(in, "tool_name", cmp.Or(whole.text("name"), said.text("toolName")))
	set(in, "tool_call_id", whole.text("id"))
	name, _ := in["tool_name"].(string)
	_, kind := hooks.CanonicalTool(name)
	if input, ok := whole.take("input"); ok {
		if list, isList := input.([]any); isList && kind == hooks.KindShell { // of commands
			input = map[string]any{"commands": list}
			event.Can &^= Rewrite
		}
		in["tool_input"] = input
	} else if input, ok := said.take("parameters"); ok {
		if text, isText := input.(string); isText {
			if v, err := hooks.DecodeJSON([]byte(text)); err == nil {
				input = v
			}
		}
		if parameters, isObject := input.(map[string]any); isObject {
			if text, isText := parameters["commands"].(string); isText && kind == hooks.KindShell {
				switch v, _ := hooks.DecodeJSON([]byte(text)); v.(type) {
				case []any, map[string]any:
					parameters["commands"] = v
				}
			}
		}
		in["tool_input"] = input
		event.Can &^= Rewrite
	}
	if !in.moveFrom("tool_response", whole, "output") {
		in.moveFrom("tool_response", said, "result")
	}
	if !in.moveFrom("duration_ms", whole, "durationMs") {
		in.moveFrom("duration_ms", said, "executionTimeMs")
	}
	if e, failed := clineFailure(whole, said, in["tool_response"]); failed {
		in["error"] = e
	}
	for _, key := range []string{"parameters", "toolName", "result", "executionTimeMs"} {
		delete(said, key) // which the whole one says as well
	}
	in.putBack("tool", whole) // under its own name it would be the output
	in.putBack(saidKey, said)
}

// clineFailure is what went wrong with a tool call that is over. A tool for several things at once has failed if one
// of them has.
func clineFailure(whole, said object, output any) (message string, failed bool) {
	if message = whole.text("error"); message != "" {
		return message, true
	}
	if said["success"] == false {
		return asText(output), true
	}
	list, _ := output.([]any)
	for _, v := range list {
		if one, ok := v.(map[string]any); ok && one["success"] == false {
			message, _ = one["error"].(string)
			return cmp.Or(message, asText(one["result"])), true
		}
	}
	return "", false
}

// writeCline writes an answer. Silence is the one word that nothing is cancelled. A denial of what a tool has done
// doesn't end the run: the model is told why with its next request.
func writeCline(c *Call, a *answer) Output {
	out := object{"cancel": false}
	if c.Event.Event == hooks.PostToolCall {
		c.denialIsFeedback(a)
	}
	switch {
	case a.decision == hooks.Deny, a.halt:
		if a.stop == a.reason {
			a.stop = ""
		}
		text := join("\n", a.reason, a.stop, a.context)
		out = object{"cancel": true, "errorMessage": shorten(cmp.Or(text, "a hook has ended the run"), c.Agent.MaxText)}
	default:
		set(out, "contextModification", a.context)
		if a.input != nil {
			out["overrideInput"] = a.input
		}
	}
	return orDenial(asJSON(out), func(reason string) object { return object{"cancel": true, "errorMessage": reason} })
}
