package luabind_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// on runs the first hook of a state on a machine.
func on(t *testing.T, m *luabind.Machine, s *luabind.State, c *hooks.Context) *hooks.Result {
	t.Helper()
	out := s.CallOn(m, context.Background(), 0, c, luabind.Limits{}, time.Now(), &hooks.Result{})
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	if out.Result == nil {
		return &hooks.Result{}
	}
	return out.Result
}

// States take turns on a machine, and none finds anything there of the one before.
func TestStatesShareAMachine(t *testing.T) {
	writer := load(t, `
local kept
on("pre_tool_call", function(ev)
	mine, _G.other = "a global", 1
	kept = ev
	local input = ev.tool_call.input
	input.note = "written"
	pcall(function() error("caught") end)
	coroutine.wrap(function() coroutine.yield("suspended") end)()
	return context(ev.tool_call.command)
end)`, luabind.Environment{})
	reader := load(t, `
local kept
on("pre_tool_call", function(ev)
	local seen = tostring(mine) .. " " .. tostring(other) .. " " .. tostring(ev.tool_call.input.note) .. " " .. ev.tool_call.command
	local again = kept == nil or kept == ev
	kept = ev
	return context(seen .. " " .. tostring(again) .. " " .. tostring(coroutine.running()))
end)`, luabind.Environment{})
	asker := load(t, `on("stop", function(ev) return context(tostring(pcall(function() return ev.tool_call.command end))) end)`, luabind.Environment{})
	m := luabind.NewMachine()
	for range 3 {
		equal(t, "writer", on(t, m, writer, event(t, hooks.PreToolCall, `{"tool_call":{"name":"bash","command":"ls"}}`)).NewContext, "ls")
		equal(t, "reader", on(t, m, reader, event(t, hooks.PreToolCall, `{"tool_call":{"name":"bash","command":"make"}}`)).NewContext, "nil nil nil make true nil")
		equal(t, "another event", on(t, m, asker, sample(t, hooks.Stop)).NewContext, "false")
	}
}

// An error says nothing of what another script has looked for in vain where it was loaded before.
func TestLoadingSharesNothing(t *testing.T) {
	for range 20 {
		load(t, `local unknown = nosuchname`, luabind.Environment{})
		if e := loadError(t, `return { [nil] = 1 }`, luabind.Environment{}); strings.Contains(e.Message, "nosuchname") {
			t.Fatal(e.Message)
		}
	}
}

// A coroutine that a script has made while it loaded goes on wherever the state runs, and beside those
// of others.
func TestACoroutineOfLoadingGoesOnOnAnyMachine(t *testing.T) {
	var group sync.WaitGroup
	for range 4 {
		s := load(t, `
local count = coroutine.wrap(function() local n = 0 while true do n = n + 1 coroutine.yield(n) end end)
on("stop", function() return context("run " .. count()) end)`, luabind.Environment{})
		group.Go(func() {
			m := luabind.NewMachine()
			for i := range 100 {
				out := s.CallOn(m, context.Background(), 0, &hooks.Context{Event: hooks.Stop}, luabind.Limits{}, time.Now(), &hooks.Result{})
				if want := fmt.Sprint("run ", i+1); out.Err != nil || out.Result.NewContext != want {
					t.Errorf("%+v, want %s", out, want)
					return
				}
			}
		})
	}
	group.Wait()
}

// What one run uses up isn't charged to the next one on the machine, whose limits are its own.
func TestEachRunOnAMachineHasItsOwnBudget(t *testing.T) {
	m := luabind.NewMachine()
	long := load(t, `on("stop", function() for i = 1, 50000 do end end)`, luabind.Environment{})
	short := load(t, `on("stop", function() for i = 1, 500 do end end)`, luabind.Environment{Limits: luabind.Limits{Instructions: 2000}})
	for range 3 {
		on(t, m, long, sample(t, hooks.Stop))
		on(t, m, short, sample(t, hooks.Stop))
	}
	endless := load(t, `on("stop", function() while true do end end)`, luabind.Environment{Limits: luabind.Limits{Instructions: 2000}})
	if out := endless.CallOn(m, context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{}, time.Now(), &hooks.Result{}); out.Err == nil || out.Err.Limit != hooks.LimitInstructions || !endless.Broken() {
		t.Errorf("%+v", out)
	}
}
