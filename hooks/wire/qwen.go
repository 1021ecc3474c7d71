package wire

import (
	"cmp"
	"time"

	"github.com/luahook/luahook/hooks"
)

// qwen is Qwen Code, as of 0.24.4. What it takes is in the form of Claude Code, but it means other things by it in
// places. It reads standard error where standard output is empty, and plain text there allows. An answer beyond 1 MiB
// is cut off, so that it's no JSON anymore and allows as well: four texts of MaxText stay below.
var qwen = Agent{
	Name: "qwen", Title: "Qwen Code", status2: true, MaxText: 40_000, Silent: true, Folder: "QWEN_PROJECT_DIR", shellFolder: []string{"directory"},
	Events: []Event{
		{Name: "PreToolUse", Event: hooks.PreToolCall, Can: Deny | Ask | Allow | Message}, // without a terminal ask denies
		{Name: "PostToolUse", Event: hooks.PostToolCall, Can: Deny | Replace | Context | Message},
		{Name: "PostToolUseFailure", Event: hooks.PostToolCall, Can: Deny | Context | Message},
		{Name: "PostToolBatch", Event: hooks.PostToolBatch, Can: Deny | Context | Halt | Message, Timeout: 15 * time.Second},
		{Name: "PermissionRequest", Event: hooks.PermissionRequest, Can: Deny | Allow | Halt | Message},
		{Name: "PermissionDenied", Event: hooks.PermissionDenied},
		{Name: "UserPromptSubmit", Event: hooks.PrePrompt, Can: Deny | Context | Halt | Message},
		{Name: "UserPromptExpansion", Event: hooks.PrePrompt, Can: Deny | Context | Message},
		{Name: "SessionStart", Event: hooks.SessionStart, Can: Context | Message},
		{Name: "SessionEnd", Event: hooks.SessionEnd, Can: Message, Timeout: 5 * time.Second},
		{Name: "Stop", Event: hooks.Stop, Can: Deny | Halt | Message},
		{Name: "StopFailure", Event: hooks.StopFailure},
		{Name: "SubagentStart", Event: hooks.SubagentStart, Can: Context | Message},
		{Name: "SubagentStop", Event: hooks.SubagentStop, Can: Deny | Halt | Message},
		{Name: "PreCompact", Event: hooks.PreCompact, Can: Context | Message},
		{Name: "PostCompact", Event: hooks.PostCompact},
		{Name: "Notification", Event: hooks.Notification},
		{Name: "TodoCreated", Event: hooks.TaskCreated, Can: Deny | Message},
		{Name: "TodoCompleted", Event: hooks.TaskCompleted, Can: Deny | Message},
		{Name: "SessionDelete", Event: "qwen.session_delete"},
		{Name: "InstructionsLoaded", Event: "qwen.instructions_loaded", Costly: true},
		{Name: "MessageDisplay", Event: "qwen.message_display", Timeout: 5 * time.Second, Costly: true},
	},
	prepare: prepareQwen,
	write:   writeQwen,
}

// prepareQwen sorts out the events that say two things. UserPromptSubmit also comes before each further request of a
// turn, without a prompt: context would be given again and again. A to-do is asked about, and told of again once it's
// in the list.
func prepareQwen(event *Event, in object) {
	switch event.Name {
	case "UserPromptSubmit":
		if prompt, given := in["prompt"]; given && prompt == "" {
			event.Event = "qwen.continuation"
		}
	case "TodoCreated", "TodoCompleted":
		if in["phase"] == "postWrite" {
			event.Event, event.Can = "qwen.todo_written", Message
			return
		}
		set(in, "task_id", in.text("todo_id"))
		set(in, "title", in.text("todo_content"))
	case "PostToolBatch":
		prepareBatch(in)
	case "StopFailure":
		if kind := in.text("error"); kind != "" {
			in.fail(cmp.Or(in.text("error_details"), kind), kind)
		}
	}
}

// writeQwen writes an answer. Whether the turn goes on isn't what continue decides: after a tool false takes the place
// of the result, and at the end of a turn it's a denial, so that silence ends it. A decision about tools that have run
// would be ignored, or end the turn.
func writeQwen(c *Call, a *answer) Output {
	switch c.Event.Name {
	case "PostToolUseFailure", "PostToolBatch":
		c.denialIsFeedback(a)
	case "PostToolUse":
		if a.output != nil || a.decision == hooks.Deny {
			text := a.reason
			if a.output != nil {
				text = join("\n", text, outputText(a.output))
			}
			a.halt, a.stop = true, shorten(join("\n", text, a.context), c.Agent.MaxText)
			a.decision, a.output, a.context = hooks.NoOpinion, nil, ""
		}
	case "Stop", "SubagentStop":
		if a.halt {
			a.message = shorten(join("\n", a.message, a.stop), c.Agent.MaxText)
			a.halt, a.decision = false, hooks.NoOpinion
		}
	}
	return asJSON(claudeForm(c, a))
}
