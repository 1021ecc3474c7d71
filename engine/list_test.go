package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// TestHooks lists what is in force in the order in which it runs, and what isn't, with the reason.
func TestHooks(t *testing.T) {
	e := newEngine(t, engine.WithUserDir(tree(t, `
-- hooks/a.lua --
on("pre_tool_call", { name = "late" }, function() end)
on("pre_tool_call", { name = "early", priority = 5, match = "bash", once = true, timeout = "2s", mode = "parallel" }, function() end)
on("stop", { name = "off", enabled = false }, function() end)
on("pre_tool_call", { name = "never", match = { kind = "shell", path = "x" } }, function() end)
-- hooks.yaml --
hooks:
  post_tool_call: [{name: gone, command: "true", enabled: false}]
  pre_tool_call: [{name: watches, command: "true", mode: async}]
`)), engine.WithoutBuiltins())
	if _, err := e.RegisterHook("post_tool_call", hooks.Options{Name: "mine"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return nil, nil
	}); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, h := range e.Hooks() {
		fmt.Fprintf(&got, "%s %d %s %s %s %s %s %s %d %s %v: %s\n", h.Event, h.Order, h.Name, h.Scope, h.Handler, h.Mode, h.Match, h.OnFailure, h.Priority, h.Timeout, h.Once, h.Left)
	}
	equal(t, "the hooks", got.String(), `pre_tool_call 1 early user lua parallel bash block 5 2s true: 
pre_tool_call 2 watches user command async * warn 0 30s false: 
pre_tool_call 3 late user lua sync * block 0 0s false: 
post_tool_call 1 mine embedder go sync * warn 0 1s false: 
post_tool_call 0 gone user command sync * warn 0 0s false: enabled is false
stop 0 off user lua sync * warn 0 0s false: it is registered with enabled = false
pre_tool_call 4 never user lua sync {kind="shell", path="x"} block 0 0s false: its match fits no event: a shell tool has no path, only files that its command names; match file instead
`)
	if list := new(engine.Engine).Hooks(); list != nil {
		t.Errorf("an engine that New hasn't made has %v", list)
	}
}

// TestHooksLoadsTheProject: the list is whole before any event has come.
func TestHooksLoadsTheProject(t *testing.T) {
	e, _ := project(t, "-- .hooks/a.lua --\non('pre_tool_call', function() end)\n", engine.WithoutBuiltins())
	list := e.Hooks()
	if len(list) != 1 || list[0].Scope != hooks.ScopeProject || list[0].Source != ".hooks/a.lua:1" || list[0].MaxInstructions != 5_000_000 {
		t.Errorf("%+v", list)
	}
}

// skips notes which hooks an event has skipped.
type skips struct{ told []string }

func (s *skips) RunStarted(context.Context, hooks.Run)   {}
func (s *skips) RunCompleted(context.Context, hooks.Run) {}
func (s *skips) HookSkipped(_ context.Context, h engine.HookInfo, why string) {
	s.told = append(s.told, fmt.Sprintf("%d %s: %s", h.Order, h.Name, why))
}

// TestSkippedHooks: an observer that wants to is told of each hook that doesn't run, and why; another one isn't.
func TestSkippedHooks(t *testing.T) {
	s := &skips{}
	e := newEngine(t, engine.WithoutBuiltins(), engine.WithObserver(s), engine.WithScript("a.lua", `
on("pre_tool_call", { name = "edits", match = "edit" }, function() end)
on("pre_tool_call", { name = "first", once = true }, function() end)
on("pre_tool_call", { name = "beside", match = "write", mode = "parallel" }, function() end)
on("pre_tool_call", { name = "rewrites" }, function(ev) if not ev.judging then return modify({ command = "ls -l" }) end end)
on("pre_tool_call", { name = "denies", match = { command = "ls -l" } }, function() return deny("no") end)
on("pre_tool_call", { name = "after" }, function() end)
`))
	event := bash("ls")
	event.SessionID = "s"
	fire(t, e, event)
	equal(t, "the first time", strings.Join(s.told, "\n"), `1 edits: tool is bash, want "edit"
3 beside: tool is bash, want "write"
6 after: a hook before it has denied`)
	s.told = nil
	fire(t, e, event)
	contains(t, strings.Join(s.told, "\n"), "2 first: it runs once per session, and has run in this one")
}
