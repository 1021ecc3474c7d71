package wire

import "github.com/luahook/luahook/hooks"

// droid is Factory Droid. Its protocol is Claude Code's, with permission modes of its own (off, spec, auto-low,
// auto-medium, auto-high), and some versions of it write the keys in camel case.
var droid = Agent{
	Name: "droid", Title: "Factory Droid", status2: true, Folder: "FACTORY_PROJECT_DIR",
	Events: []Event{
		{Name: "PreToolUse", Event: hooks.PreToolCall, Can: Deny | Ask | Allow | Rewrite | Halt | Message},
		{Name: "PostToolUse", Event: hooks.PostToolCall, Can: Deny | Context | Halt | Message},
		{Name: "UserPromptSubmit", Event: hooks.PrePrompt, Can: Deny | Context | Halt | Message},
		{Name: "SessionStart", Event: hooks.SessionStart, Can: Context | Message},
		{Name: "SessionEnd", Event: hooks.SessionEnd},
		{Name: "Stop", Event: hooks.Stop, Can: Deny | Halt | Message},
		{Name: "SubagentStop", Event: hooks.SubagentStop, Can: Deny | Halt | Message},
		{Name: "PreCompact", Event: hooks.PreCompact, Can: Message},
		{Name: "Notification", Event: hooks.Notification},
	},
	prepare: prepareDroid, write: writeDroid, whyNotRewritten: cannotRemoveKeys,
}

func prepareDroid(_ *Event, in object) {
	in.move("stopHookActive", "stop_hook_active")
	in.move("permissionMode", "permission_mode")
	in.move("transcriptPath", "transcript_path")
	in.move("customInstructions", "custom_instructions")
}

func writeDroid(c *Call, a *answer) Output { return asJSON(claudeForm(c, a)) }
