package wire

import (
	"time"

	"github.com/luahook/luahook/hooks"
)

// crush is Charm Crush. It has one event, whose name stands in "event", and a form of answer of its own.
var crush = Agent{
	Name: "crush", Title: "Crush", status2: true, shellFolder: []string{"workingdir"},
	Events: []Event{
		{Name: "PreToolUse", Event: hooks.PreToolCall, Can: Deny | Allow | Rewrite | Context | Halt, Timeout: 30 * time.Second},
	},
	write: writeCrush, whyNotRewritten: cannotRemoveKeys,
}

func writeCrush(_ *Call, a *answer) Output {
	out := object{}
	set(out, "decision", string(a.decision))
	set(out, "reason", a.reason)
	set(out, "context", a.context)
	if a.input != nil {
		out["updated_input"] = a.input
	}
	if a.halt {
		out["halt"] = true
		if a.stop != a.reason {
			set(out, "reason", join("\n", a.reason, a.stop))
		}
	}
	if len(out) > 0 {
		out["version"] = 1
	}
	return asJSON(out)
}
