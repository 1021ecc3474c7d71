package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// A hook that fires an event from inside itself isn't called by it again; all others
// are.
func TestReentry(t *testing.T) {
	e := newEngine(t, patient)
	var nested string
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "other"}, nothing)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "nests"}, func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
		r, err := e.Fire(ctx, bash("ls"))
		nested = modes(r)
		if got := r.Summary().Runs[1].Entries[0].Text; got != "skipped: this event comes from inside this hook's own run" {
			t.Errorf("the entry: %q", got)
		}
		return nil, err
	})
	r := fire(t, e, bash("make"))
	equal(t, "outer", modes(r), "other/sync=completed nests/sync=completed")
	equal(t, "inner", nested, "other/sync=completed nests/sync=skipped")
	equal(t, "another event has nothing to do with it", modes(fire(t, e, bash("ls"))), "other/sync=completed nests/sync=completed")
}

// Two hooks that set off each other end, too.
func TestReentryOfTwo(t *testing.T) {
	e := newEngine(t, patient)
	count := map[hooks.Event]int{}
	fires := func(other *hooks.Context) hooks.Func {
		return func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
			count[c.Event]++
			_, err := e.Fire(ctx, other)
			return nil, err
		}
	}
	register(t, e, hooks.PreToolCall, hooks.Options{}, fires(&hooks.Context{Event: hooks.Notification, Fields: map[string]any{"message": "x"}}))
	register(t, e, hooks.Notification, hooks.Options{}, fires(bash("ls")))
	fire(t, e, bash("ls"))
	equal(t, "calls", fmt.Sprint(count), "map[notification:1 pre_tool_call:1]")
}

// A host object can fire events with the context that it gets.
func TestReentryByHostObject(t *testing.T) {
	fires := &firing{}
	e := lua(t, `on("pre_tool_call", {name="script"}, function(ev) agent.Fire(ev.tool_call.command) return context(ev.tool_call.command) end)`,
		patient, engine.WithHostObject("agent", fires, "Fire"))
	fires.engine = e
	r := fire(t, e, bash("ls"))
	equal(t, "context", r.NewContext, "ls")
	equal(t, "inner", fires.inner, "script/sync=skipped")
}

type firing struct {
	engine *engine.Engine
	inner  string
}

func (f *firing) Fire(ctx context.Context, command string) error {
	r, err := f.engine.Fire(ctx, bash(command+" inside"))
	f.inner = modes(r)
	return err
}

// Each of these hooks sets off the next one; the 9th event within another is a failure.
func TestDepth(t *testing.T) {
	e := newEngine(t, patient)
	var reason string
	for n := range 12 {
		register(t, e, hooks.Event(fmt.Sprintf("level.n%d", n)), hooks.Options{Name: fmt.Sprint("level ", n), OnFailure: hooks.Block}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
			r, err := e.Fire(ctx, &hooks.Context{Event: hooks.Event(fmt.Sprintf("level.n%d", n+1))})
			if r.Block {
				reason = r.Reason
			}
			return nil, err
		})
	}
	fire(t, e, &hooks.Context{Event: "level.n0"})
	contains(t, reason, "hook level 9 failed", "hooks that set off hooks, 9 deep; 8 may be")
}

// In the child of a hook, guards in Lua and Go run; async hooks don't.
func TestInTheChildOfAHook(t *testing.T) {
	const script = `
on("pre_tool_call", {name="guard"}, function(ev) return ask("sure?") end)
on("pre_tool_call", {name="observer", mode="async"}, function(ev) end)`
	for depth, want := range map[string]string{
		"1": "guard/sync=completed observer/async=skipped", "8": "guard/sync=completed observer/async=skipped",
		"": "guard/sync=completed observer/async=queued", "-1": "guard/sync=completed observer/async=queued", "x": "guard/sync=completed observer/async=queued",
	} {
		t.Setenv("LUAHOOK_DEPTH", depth)
		r := fire(t, lua(t, script), bash("ls"))
		equal(t, "at depth "+depth, modes(r), want)
		equal(t, "decision", r.Decision, hooks.Ask)
	}
	t.Setenv("LUAHOOK_DEPTH", "9")
	r := fire(t, lua(t, script), bash("ls"))
	equal(t, "decision", r.Decision, hooks.Deny)
	contains(t, r.Reason, "9 deep; 8 may be")
	contains(t, strings.Join(r.Warnings, "\n"), "")
}
