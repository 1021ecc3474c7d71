package wire

import (
	"reflect"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
)

// codex is OpenAI Codex, as of 0.169.0. It refuses an answer with a key that isn't in its schemas, or with values that
// it doesn't like, and then lets the tool run. So there is nothing in one but what it's known to take.
var codex = Agent{
	Name: "codex", Title: "Codex", status2: true, shellFolder: []string{"workdir"},
	// An answer has four texts at most, and a character takes six bytes at most, so that they fit into codexAnswer.
	MaxText: 40_000,
	Events: []Event{
		{Name: "PreToolUse", Event: hooks.PreToolCall, Can: Deny | Rewrite | Context | Message},
		{Name: "PermissionRequest", Event: hooks.PermissionRequest, Can: Deny | Allow | Message},
		{Name: "PostToolUse", Event: hooks.PostToolCall, Can: Deny | Replace | Context | Message}, // the turn goes on after a halt
		{Name: "UserPromptSubmit", Event: hooks.PrePrompt, Can: Deny | Context | Halt | Message},
		{Name: "SessionStart", Event: hooks.SessionStart, Can: Context | Halt | Message},
		{Name: "SessionEnd", Event: hooks.SessionEnd, Timeout: 3 * time.Second}, // no answer is known
		{Name: "Stop", Event: hooks.Stop, Can: Deny | Halt | Message, Timeout: 10 * time.Minute},
		{Name: "SubagentStart", Event: hooks.SubagentStart, Can: Context | Message},
		{Name: "SubagentStop", Event: hooks.SubagentStop, Can: Deny | Halt | Message, Timeout: 10 * time.Minute},
		{Name: "PreCompact", Event: hooks.PreCompact, Can: Halt | Message},
		{Name: "PostCompact", Event: hooks.PostCompact, Can: Halt | Message},
		{Name: "Interrupt", Event: hooks.Interrupt, Can: Message, Timeout: 3 * time.Second},
		{Name: "PreModelRequest", Event: hooks.PreModelCall, Costly: true}, // every answer is ignored
		{Name: "PostModelRequest", Event: hooks.PostModelCall, Costly: true},
	},
	write: writeCodex, whyNotRewritten: onlyCommand,
}

// codexAnswer is how long an answer may be, in bytes. Codex doesn't read a longer one and lets the tool run.
const codexAnswer = 1 << 20

func writeCodex(c *Call, a *answer) Output {
	if a.output != nil { // the reason of a denial takes the place of the result
		text := join("\n", a.reason, asText(a.output))
		if strings.TrimSpace(text) == "" {
			text = "(a hook has removed the output)"
		}
		a.deny(shorten(text, c.Agent.MaxText))
		a.output = nil
	}
	if a.input != nil { // which only goes with allow; Codex asks about what comes of it if it would have
		a.decision, a.reason = hooks.Allow, ""
	}
	out := asJSON(claudeForm(c, a))
	if len(out.Stdout) > codexAnswer {
		a.deny("a hook wants it changed, and the change is longer than Codex reads (1 MiB)")
		out = asJSON(claudeForm(c, a))
	}
	return out
}

// onlyCommand says that Codex replaces nothing but the command of a shell call or a patch: it ignores other keys.
func onlyCommand(c *Call, input map[string]any) string {
	why := "which Codex only does with the command of Bash and apply_patch"
	call := c.Context.ToolCall
	if call.HostName != "Bash" && call.HostName != "apply_patch" {
		return why
	}
	if _, ok := input["command"].(string); !ok || len(input) != len(call.Input) {
		return why
	}
	for key, v := range input {
		if old, was := call.Input[key]; !was || key != "command" && !reflect.DeepEqual(v, old) {
			return why
		}
	}
	return ""
}
