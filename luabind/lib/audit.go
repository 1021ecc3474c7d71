package lib

import (
	"context"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// Note is what a built-in hook has for the decision log.
type Note struct {
	Kind string // "error"
	Text string
	Data map[string]any // or nil
}

// Notes is the decision log. Several goroutines may use it, also a call that has outlasted
// its run.
type Notes interface {
	// Note writes a note about an event, without the secrets that it finds in it. A
	// warning is what to tell where that failed, and hasn't been told yet.
	Note(ctx context.Context, event *hooks.Context, n Note) (warning string)
}

// AuditModule is a module for built-in hooks alone: other scripts could fill the log, or
// write what looks like a decision.
func AuditModule() luabind.Module {
	return module("audit", "notes for the decision log; only built-in hooks have it",
		function{
			"note", "(note: {kind: string, text?: string, data?: table})",
			"writes a note about the event of the hook, without the secrets that it finds in it, also where decisions aren't recorded; where there is no log, or it can't be written, the hook goes on, with a warning",
			`audit.note({ kind = "error", text = "go test failed", data = { failures = 3 } })`,
			auditNote,
		})
}

func auditNote(c call) int {
	n := c.note(1)
	notes, event := c.services().Notes, luabind.EventOf(c.LState)
	if notes == nil {
		return 0
	}
	if event == nil {
		c.fail("the script is loading, and there is no event to note anything about; use it within a hook")
	}
	if c.again() != nil {
		return 0
	}
	bytes := len(n.Text) + bytesOf(n.Data)
	c.charge(4 * bytes)
	c.redactable(bytes)
	warning := luabind.Wait(c.LState, "audit.note", func(ctx context.Context) string { return notes.Note(ctx, event, n) })
	if warning != "" {
		luabind.Warn(c.LState, warning)
	}
	return 0
}

var noteKeys = []string{"data", "kind", "text"}

// note reads the argument, strictly.
func (c call) note(n int) (note Note) {
	text := func(key string, v lua.LValue) string {
		s, ok := v.(lua.LString)
		if !ok {
			c.bad(n, key+": string expected, got "+v.Type().String())
		}
		return string(s)
	}
	luabind.Each(c.LState, c.table(n), func(key, v lua.LValue) {
		switch name := luabind.RawText(key); name {
		case "kind":
			note.Kind = text(name, v)
		case "text":
			note.Text = text(name, v)
		case "data":
			plain, err := luabind.FromLua(c.LState, v)
			if err != nil {
				c.bad(n, "data: "+err.Error())
			}
			data, ok := plain.(map[string]any)
			if list, empty := plain.([]any); empty && len(list) == 0 {
				data, ok = map[string]any{}, true
			}
			if !ok {
				c.bad(n, "data: a table with names expected, got "+v.Type().String())
			}
			note.Data = data
		default:
			c.bad(n, fmt.Sprintf("it has %q, which isn't asked for%s", cut(name, 100), spelling.DidYouMean(name, noteKeys)))
		}
	})
	if note.Kind == "" {
		c.bad(n, "kind expected, a text")
	}
	return note
}
