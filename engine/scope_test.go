package engine_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
)

// TestScopesOnlyTighten tries every way in which a project could loosen what a higher
// scope has set, once as an untrusted and once as a trusted one.
func TestScopesOnlyTighten(t *testing.T) {
	// What the higher scopes want: the managed guard denies "curl", the user's asks about
	// "make" and denies "wget", and the default safety-guard is on.
	const higher = `
-- managed/hooks.yaml --
hooks:
  max_followups: 1
  limits: {timeout: 1s, event: 40s}
  pre_tool_call:
    - {name: no-curl, script: curl.lua}
  stop:
    - {name: managed-stop, script: stop.lua}
-- managed/curl.lua --
on("pre_tool_call", function(ev)
  if ev.tool_call.command:find("curl", 1, true) then return deny("managed: no curl") end
  return {data = {policy = "managed"}}, context("managed rules")
end)
-- managed/stop.lua --
on("stop", function(ev) if ev.metadata.managed then return deny("managed: " .. ev.metadata.n) end end)
-- user/hooks.yaml --
hooks: {on_failure: block}
-- user/hooks/own.lua --
on("pre_tool_call", {name="user-guard", priority=-1000}, function(ev)
  local cmd = ev.tool_call.command
  if cmd:find("boom", 1, true) then error("boom") end
  if cmd:find("wget", 1, true) then return deny("user: no wget") end
  if cmd:find("make", 1, true) then return ask("user: make?") end
end)
`
	tests := []struct {
		name    string
		project string
		command string
		check   func(t *testing.T, e *engine.Engine, r *hooks.Result)
	}{
		{"enabled: false of its own scope", "-- .hooks/hooks.yaml --\nhooks: {enabled: false}\n", "curl x", denies("managed: no curl")},
		{"enabled: false, the user's guard", "-- .hooks/hooks.yaml --\nhooks: {enabled: false}\n", "wget x", denies("user: no wget")},
		{"enabled: false, the default guard", "-- .hooks/hooks.yaml --\nhooks: {enabled: false}\n", "rm -rf /", denies("safety-guard: deletion.root")},
		{"an entry that switches safety-guard off", "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{builtin: safety-guard, enabled: false}]}\n", "rm -rf /", denies("safety-guard: deletion.root")},
		{"an entry of the same name", "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{name: no-curl, script: .hooks/x.lua, enabled: false}]}\n-- .hooks/x.lua --\non('pre_tool_call', function() end)\n", "curl x", denies("managed: no curl")},
		{"a script of the same name", "-- .hooks/curl.lua --\non('pre_tool_call', {name='no-curl'}, function() return allow('fine') end)\n", "curl x", denies("managed: no curl")},
		{"the path of the user's script", "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: ../user/hooks/own.lua, enabled: false}]}\n", "wget x", denies("user: no wget")},
		{"on_failure: ignore", "-- .hooks/hooks.yaml --\nhooks: {on_failure: ignore}\n", "boom", denies("hook user-guard failed")},
		{"a high priority comes no sooner", "-- .hooks/x.lua --\non('pre_tool_call', {name='first', priority=1000000}, function() return deny('project') end)\n", "curl x", denies("managed: no curl")},
		{"the order of runs", "-- .hooks/x.lua --\non('pre_tool_call', {name='first', priority=1000000}, function() end)\n", "ls", func(t *testing.T, _ *engine.Engine, r *hooks.Result) {
			equal(t, "runs", runs(r), "no-curl safety-guard user-guard first")
		}},
		{"allow against a deny", "-- .hooks/x.lua --\non('pre_tool_call', {priority=9}, function() return allow('fine') end)\n", "wget x", denies("user: no wget")},
		{"allow against an ask", "-- .hooks/x.lua --\non('pre_tool_call', {priority=9}, function() return allow('fine') end)\n", "make", asks("user: make?")},
		{"respond against an ask", "-- .hooks/x.lua --\non('pre_tool_call', function() return respond('done') end)\n", "make", asks("user: make?")},
		{"a rewrite after the guards have judged", "-- .hooks/x.lua --\non('pre_tool_call', function(ev) if not ev.judging then return modify{command='curl x'} end end)\n", "ls",
			func(t *testing.T, e *engine.Engine, r *hooks.Result) {
				if r.Decision != hooks.Deny && (r.Input != nil || r.Modified) {
					t.Errorf("it runs %v", r.Input)
				}
			}},
		{"a rewrite away from an ask", "-- .hooks/x.lua --\non('pre_tool_call', function(ev) return modify{command='ls'} end)\n", "make", asks("user: make?")},
		{"a rewrite that makes a guard fail", "-- .hooks/x.lua --\non('pre_tool_call', function(ev) if not ev.judging then return modify{command='boom'} end end)\n", "ls",
			func(t *testing.T, e *engine.Engine, r *hooks.Result) {
				if r.Decision != hooks.Deny && r.Input != nil {
					t.Errorf("it runs %v", r.Input)
				}
			}},
		{"data of a higher scope", "-- .hooks/x.lua --\non('pre_tool_call', function() return {data={policy='project', own=1}} end)\n", "ls",
			func(t *testing.T, _ *engine.Engine, r *hooks.Result) {
				equal(t, "data", asJSON(t, r.Data), `{"own":1,"policy":"managed"}`)
				contains(t, strings.Join(r.Warnings, "\n"), "its data.policy was dropped: a hook of the managed scope has given it a value")
			}},
		{"contexts of a higher scope", "-- .hooks/x.lua --\non('pre_tool_call', function() return context('project rules') end)\n", "ls",
			func(t *testing.T, _ *engine.Engine, r *hooks.Result) {
				equal(t, "contexts", asJSON(t, r.Contexts), `[{"hook":"no-curl","text":"managed rules"},{"hook":"x","text":"project rules"}]`)
			}},
		{"tiny limits", "-- .hooks/hooks.yaml --\nhooks: {limits: {instructions: 1, timeout: 1ns, memory: 1MiB, event: 1ns}}\n", "ls",
			func(t *testing.T, _ *engine.Engine, r *hooks.Result) {
				equal(t, "decision", r.Decision, hooks.NoOpinion)
				equal(t, "runs", runs(r), "no-curl safety-guard user-guard")
			}},
		{"huge limits", "-- .hooks/hooks.yaml --\nhooks: {limits: {instructions: 9000000000000, timeout: 10h, memory: 1000GiB, event: 10h}}\n-- .hooks/x.lua --\non('pre_tool_call', {timeout='10h'}, function() while true do end end)\n", "ls", denies("hook x failed")},
		{"max_followups for a higher scope's hook", "-- .hooks/hooks.yaml --\nhooks: {max_followups: 100}\n", "",
			func(t *testing.T, e *engine.Engine, _ *hooks.Result) {
				equal(t, "blocks", stops(t, e, "managed", 5), 1)
			}},
		{"max_followups for its own", "-- .hooks/hooks.yaml --\nhooks: {max_followups: 100}\n-- .hooks/x.lua --\non('stop', function(ev) return deny('more ' .. ev.metadata.n) end)\n", "",
			func(t *testing.T, e *engine.Engine, _ *hooks.Result) {
				equal(t, "blocks", stops(t, e, "project", 5), 1)
			}},
		{"max_followups: 0", "-- .hooks/hooks.yaml --\nhooks: {max_followups: 0}\n", "",
			func(t *testing.T, e *engine.Engine, _ *hooks.Result) {
				equal(t, "blocks", stops(t, e, "managed", 5), 1)
			}},
		{"a broken hooks.yaml", "-- .hooks/hooks.yaml --\nhooks: {pre_tool_cal: []}\n", "curl x", denies("managed: no curl")},
		{"a broken script", "-- .hooks/x.lua --\non(\n", "ls", denies(".hooks/x.lua:1")},
		{"a broken script that says ignore", "-- .hooks/hooks.yaml --\nhooks: {on_failure: ignore}\n-- .hooks/x.lua --\non(\n", "curl x", denies("managed: no curl")},
		{"a script that spoils the libraries", "-- .hooks/x.lua --\nstring.find = function() end _G.deny = function() end deny = nil\n", "wget x", denies("user: no wget")},
		{"a library of the project", "-- .hooks/lib/shell.lua --\nreturn {}\n", "rm -rf /", denies("safety-guard: deletion.root")},
		{"grants for itself", "-- .hooks/hooks.yaml --\nhooks: {grant: {exec: [sh]}}\n", "curl x", denies("managed: no curl")},
		{"a hook that takes long", "-- .hooks/x.lua --\non('pre_tool_call', {mode='parallel', on_failure='ignore'}, function() while true do end end)\n", "wget x", denies("user: no wget")},
	}
	for _, tt := range tests {
		for _, trusted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/trusted=%t", tt.name, trusted), func(t *testing.T) {
				dir := tree(t, higher)
				root := filepath.Join(dir, "project")
				write(t, root, tt.project)
				store := filepath.Join(dir, "state", "trust.json")
				if trusted {
					pin(t, store, root)
				}
				e, err := engine.New(engine.WithManaged(filepath.Join(dir, "managed", "hooks.yaml")), engine.WithUserDir(filepath.Join(dir, "user")),
					engine.WithTrust(store), engine.WithProject(engine.Project{Root: root}))
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { e.Close(t.Context()) })
				c := bash(tt.command)
				c.CWD = root
				tt.check(t, e, fire(t, e, c))
			})
		}
	}
}

func denies(reason string) func(*testing.T, *engine.Engine, *hooks.Result) {
	return func(t *testing.T, _ *engine.Engine, r *hooks.Result) {
		t.Helper()
		equal(t, "decision", r.Decision, hooks.Deny)
		contains(t, r.Reason, reason)
	}
}

func asks(reason string) func(*testing.T, *engine.Engine, *hooks.Result) {
	return func(t *testing.T, _ *engine.Engine, r *hooks.Result) {
		t.Helper()
		equal(t, "decision", r.Decision, hooks.Ask)
		equal(t, "reason", r.Reason, reason)
	}
}

// stops counts how many of n stops in a row are blocked.
func stops(t *testing.T, e *engine.Engine, who string, n int) (blocked int) {
	t.Helper()
	for i := range n {
		r := fire(t, e, &hooks.Context{Event: hooks.Stop, SessionID: "s", Metadata: map[string]any{who: true, "n": fmt.Sprint(i)}})
		if r.Block {
			blocked++
		}
	}
	return blocked
}

// pin trusts a project's folder, whatever it holds.
func pin(t testing.TB, store, root string) {
	t.Helper()
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := trust.NewStore(store).Put(trust.Pin{Root: real, Hooks: ".hooks", Folder: true}); err != nil {
		t.Fatal(err)
	}
}
