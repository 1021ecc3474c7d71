package engine_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// failures are the ways in which a hook fails, each with a hook that does.
var failures = []struct {
	name  string
	kind  hooks.ErrorKind
	cause string
	lua   string // the hook's body
	fn    hooks.Func
}{
	{name: "lua error", kind: hooks.KindScript, cause: "boom", lua: `error("boom")`},
	{name: "nil call", kind: hooks.KindScript, cause: "x is no function", lua: `local x = ev.model; x()`},
	{name: "misspelt field", kind: hooks.KindScript, cause: `did you mean "cwd"`, lua: `return ev.cdw`},
	{name: "limit", kind: hooks.KindLimit, cause: "1,000 instructions", lua: `while true do end`},
	{name: "caught limit", kind: hooks.KindLimit, cause: "1,000 instructions", lua: `while true do pcall(function() while true do end end) end`},
	{name: "bad answer", kind: hooks.KindResult, cause: `unknown key "blok"; did you mean "block"`, lua: `return {blok=true}`},
	{name: "bad answer type", kind: hooks.KindResult, cause: "got a number", lua: `return 5`},
	{name: "go error", kind: hooks.KindHost, cause: "backend is down", fn: answer(nil, errors.New("backend is down"))},
	{name: "go panic", kind: hooks.KindHost, cause: "it panicked: oh no", fn: func(context.Context, *hooks.Context) (*hooks.Result, error) { panic("oh no") }},
	{name: "go bad answer", kind: hooks.KindResult, cause: `"maybe" is none of allow, ask, deny`, fn: answer(&hooks.Result{Decision: "maybe"}, nil)},
	{name: "go contexts twice", kind: hooks.KindResult, cause: "set one of them", fn: answer(&hooks.Result{NewContext: "x", Contexts: []hooks.ContextEntry{{Text: "x"}}}, nil)},
}

// outcome is what a failure means: block, warn or ignore.
func outcome(t *testing.T, r *hooks.Result) string {
	t.Helper()
	switch {
	case r.Block && r.Decision == hooks.Deny && len(r.Warnings) == 0:
		return "block"
	case r.Decision == hooks.NoOpinion && !r.Block && r.Reason == "" && len(r.Warnings) == 1:
		return "warn"
	case r.Decision == hooks.NoOpinion && !r.Block && r.Reason == "" && len(r.Warnings) == 0:
		return "ignore"
	}
	return asJSON(t, r)
}

func TestFailurePolicy(t *testing.T) {
	events := []struct {
		event *hooks.Context
		want  map[hooks.Policy]string
	}{
		{bash("ls"), map[hooks.Policy]string{"": "block", "block": "block"}},
		{&hooks.Context{Event: hooks.PermissionRequest, ToolCall: &hooks.ToolCall{Name: "bash"}}, map[hooks.Policy]string{"": "block", "block": "block"}},
		{&hooks.Context{Event: hooks.PreModelCall}, map[hooks.Policy]string{"": "block", "block": "block"}},
		{&hooks.Context{Event: hooks.PostResponse}, map[hooks.Policy]string{"": "warn", "block": "warn"}},
		{&hooks.Context{Event: hooks.Stop}, map[hooks.Policy]string{"": "warn", "block": "warn"}},
		{&hooks.Context{Event: hooks.SubagentStop}, map[hooks.Policy]string{"": "warn", "block": "warn"}},
		{&hooks.Context{Event: hooks.PostToolCall, ToolCall: &hooks.ToolCall{Name: "bash"}}, map[hooks.Policy]string{"": "warn", "block": "block"}},
		{&hooks.Context{Event: "deploy.requested"}, map[hooks.Policy]string{"": "warn", "block": "block"}},
	}
	for _, failure := range failures {
		for _, ev := range events {
			for _, policy := range []hooks.Policy{"", hooks.Block, hooks.Warn, hooks.Ignore} {
				t.Run(fmt.Sprintf("%s/%s/%s", failure.name, ev.event.Event, policy), func(t *testing.T) {
					want, ok := ev.want[policy]
					if !ok {
						want = string(policy)
					}
					e, place := failing(t, ev.event.Event, policy, failure.lua, failure.fn)
					r := fire(t, e, ev.event)
					equal(t, "outcome", outcome(t, r), want)
					told := r.Reason + strings.Join(r.Warnings, "")
					if want != "ignore" {
						contains(t, told, "hook guard", place, failure.cause)
					}
					if want == "block" {
						contains(t, told, "on_failure: block", "fix the hook")
					}
					run := r.Summary().Runs[0]
					if run.Status != hooks.StatusFailed || run.Error == nil || run.Error.Kind != failure.kind {
						t.Fatalf("run: %s", asJSON(t, run))
					}
					contains(t, run.Error.Message, failure.cause)
					went := "went on: its on_failure is " + want
					switch {
					case want == "block":
						went = "blocked: its on_failure is block"
					case policy == hooks.Block:
						went = "went on: a failure never blocks " + string(ev.event.Event)
					}
					if n := len(run.Entries); n != 1 || run.Entries[0] != (hooks.Entry{Kind: hooks.EntryError, Text: went}) {
						t.Errorf("entries: %s", asJSON(t, run.Entries))
					}
				})
			}
		}
	}
}

// failing makes an engine with one hook, in Lua or in Go, and says where it stands.
func failing(t *testing.T, event hooks.Event, policy hooks.Policy, body string, fn hooks.Func) (e *engine.Engine, place string) {
	t.Helper()
	if fn != nil {
		e := newEngine(t)
		register(t, e, event, hooks.Options{Name: "guard", OnFailure: policy}, fn)
		return e, "main_test.go:"
	}
	option := ""
	if policy != "" {
		option = fmt.Sprintf(", on_failure=%q", policy)
	}
	return lua(t, fmt.Sprintf("\non(%q, {name='guard'%s}, function(ev)\n%s\nend)", event, option, body), engine.WithLimits(engine.Limits{Instructions: 1000})), "a.lua:"
}

// An engine, a file and a hook may say what a failure means; the nearest counts.
func TestFailurePolicyOf(t *testing.T) {
	const script = "\n-- .hooks/a.lua --\non('pre_tool_call', function() error('boom') end)\n"
	tests := []struct {
		name, files string
		engine      hooks.Policy
		want        string
	}{
		{"the event", script, "", "block"},
		{"the engine", script, hooks.Warn, "warn"},
		{"the file", script + "-- .hooks/hooks.yaml --\nhooks: {on_failure: ignore}\n", hooks.Warn, "ignore"},
		{"the hook", "\n-- .hooks/a.lua --\non('pre_tool_call', {on_failure='warn'}, function() error('boom') end)\n-- .hooks/hooks.yaml --\nhooks: {on_failure: ignore}\n", hooks.Block, "warn"},
		{"the entry", "\n-- .hooks/a.lua --\non('pre_tool_call', {on_failure='warn'}, function() error('boom') end)\n-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: .hooks/a.lua, on_failure: ignore}]}\n", hooks.Block, "ignore"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var options []engine.Option
			if test.engine != "" {
				options = append(options, engine.WithOnFailure(test.engine))
			}
			e, _ := project(t, test.files, options...)
			equal(t, "outcome", outcome(t, fire(t, e, bash("ls"))), test.want)
		})
	}
	e := newEngine(t, engine.WithOnFailure(hooks.Ignore))
	register(t, e, hooks.PreToolCall, hooks.Options{}, answer(nil, errors.New("boom")))
	equal(t, "of a Go hook", outcome(t, fire(t, e, bash("ls"))), "ignore")
}

// After a failure the hook runs again, in a state of its own.
func TestFailureIsForgotten(t *testing.T) {
	e := lua(t, `
local n = 0
on("pre_tool_call", {on_failure="warn"}, function(ev)
  n = n + 1
  if ev.tool_call.command == "bad" then error("boom") end
  return {data={n=n}}
end)`)
	equal(t, "first", asJSON(t, fire(t, e, bash("ls")).Data), `{"n":1}`)
	equal(t, "kept state", asJSON(t, fire(t, e, bash("ls")).Data), `{"n":2}`)
	equal(t, "failure", len(fire(t, e, bash("bad")).Warnings), 1)
	equal(t, "fresh state", asJSON(t, fire(t, e, bash("ls")).Data), `{"n":1}`)
}

// loadFailures are the ways in which a project's files can't be used.
var loadFailures = []struct {
	name, files string
	place       string // of the fault
	cause       string
	fix         string // the file whose edit is asked about; empty: none
}{
	{"syntax", "-- .hooks/a.lua --\non('pre_tool_call', function()\n  if x the end\nend)\n", ".hooks/a.lua:2:", "syntax error", ".hooks/a.lua"},
	{"misspelt event", "-- .hooks/a.lua --\n\non('pre_tol_call', function() end)\n", ".hooks/a.lua:2", `did you mean "pre_tool_call"`, ".hooks/a.lua"},
	{"unknown option", "-- .hooks/a.lua --\non('stop', {nmae='x'}, function() end)\n", ".hooks/a.lua:1", `did you mean "name"`, ".hooks/a.lua"},
	{"error", "-- .hooks/a.lua --\nerror('boom')\n", ".hooks/a.lua:1", "boom", ".hooks/a.lua"},
	{"endless", "-- .hooks/a.lua --\nwhile true do end\n-- .hooks/hooks.yaml --\nhooks: {limits: {instructions: 1000}}\n", ".hooks/a.lua", "loading: it used up its 1,000 instructions", ".hooks/a.lua"},
	{"library", "-- .hooks/a.lua --\nrequire('rules')\n-- .hooks/lib/rules.lua --\nx x\n", ".hooks/a.lua:1", ".hooks/lib/rules.lua:1", ".hooks/lib/rules.lua"},
	{"library that fails", "-- .hooks/a.lua --\nrequire('rules')\n-- .hooks/lib/rules.lua --\nerror('boom')\n", ".hooks/lib/rules.lua:1", "boom", ".hooks/lib/rules.lua"},
	{"hooks.yaml", "-- .hooks/hooks.yaml --\nhooks:\n  pre_tol_call: []\n", ".hooks/hooks.yaml:2:3", `did you mean "pre_tool_call"`, ".hooks/hooks.yaml"},
	{"missing script", "-- .hooks/hooks.yaml --\nhooks:\n  stop:\n  - script: no.lua\n", ".hooks/hooks.yaml:3", "no such file", "no.lua"},
	{"nothing for the event", "-- .hooks/hooks.yaml --\nhooks:\n  stop:\n  - script: .hooks/a.lua\n-- .hooks/a.lua --\non('setup', function() end)\n", ".hooks/hooks.yaml:3", ".hooks/a.lua registers nothing for stop; it is for setup: list it there", ".hooks/hooks.yaml"},
}

func TestLoadFailures(t *testing.T) {
	for _, test := range loadFailures {
		t.Run(test.name, func(t *testing.T) {
			e, root := project(t, test.files)
			contains(t, problems(e), test.place, test.cause)
			equal(t, "problems", len(e.LoadErrors()), 1)
			var fault *hooks.Error
			if !errors.As(e.LoadErrors()[0], &fault) || fault.Kind != hooks.KindLoad {
				t.Errorf("problem: %#v", e.LoadErrors()[0])
			}
			for _, c := range []*hooks.Context{bash("ls"), {Event: hooks.PermissionRequest, ToolCall: &hooks.ToolCall{Name: "read"}}} {
				r := fire(t, e, c)
				equal(t, "decision", r.Decision, hooks.Deny)
				contains(t, r.Reason, test.place, "can't be loaded", test.cause, "fix it; an edit of the file is asked about")
				run := r.Summary().Runs[0]
				if run.Status != hooks.StatusFailed || run.Error.Kind != hooks.KindLoad || run.Scope != hooks.ScopeProject || !strings.HasPrefix(run.Source, test.place) {
					t.Errorf("run: %s", asJSON(t, run))
				}
				contains(t, run.Error.Message, test.place, test.cause)
			}
			for _, c := range []*hooks.Context{{Event: hooks.PostResponse}, {Event: hooks.PreModelCall}, {Event: hooks.Stop}} {
				r := fire(t, e, c)
				equal(t, "outcome on "+string(c.Event), outcome(t, r), "warn")
				contains(t, r.Warnings[0], "not loaded: ", test.place)
			}
			for _, c := range []*hooks.Context{edit(root, test.fix), edit(root, filepath.Join(root, test.fix))} {
				r := fire(t, e, c)
				equal(t, "an edit of the file", r.Decision, hooks.Ask)
				contains(t, r.Reason, "edits a hook file that can't be loaded", test.cause)
			}
			equal(t, "an edit of another file", fire(t, e, edit(root, "main.go")).Decision, hooks.Deny)
		})
	}
}

func edit(cwd string, paths ...string) *hooks.Context {
	patch := "*** Begin Patch\n"
	for _, p := range paths {
		patch += "*** Update File: " + p + "\n"
	}
	return &hooks.Context{Event: hooks.PreToolCall, CWD: cwd, ToolCall: &hooks.ToolCall{Name: "apply_patch", Input: map[string]any{"patch": patch}}}
}

func TestMendingABrokenFile(t *testing.T) {
	e, root := project(t, `
-- .hooks/a.lua --
x x
-- .hooks/b.lua --
y y
-- .hooks/c.lua --
on("pre_tool_call", {match={path="secret*"}}, function() return deny("secret") end)
on("pre_tool_call", {match="write"}, function(ev) if ev.tool_call.input.swap then return modify{file_path="main.go"} end end)
`)
	writeTo := func(input map[string]any) *hooks.Context {
		return &hooks.Context{Event: hooks.PreToolCall, CWD: root, ToolCall: &hooks.ToolCall{Name: "Write", Input: input}}
	}
	tests := []struct {
		name  string
		event *hooks.Context
		want  hooks.Decision
	}{
		{"one of two broken files", edit(root, ".hooks/a.lua"), hooks.Ask},
		{"both", edit(root, ".hooks/a.lua", ".hooks/b.lua"), hooks.Ask},
		{"a detour", edit(root, ".hooks/../.hooks/b.lua"), hooks.Ask},
		{"one that loads", edit(root, ".hooks/c.lua"), hooks.Deny},
		{"a patch of another file too", edit(root, ".hooks/a.lua", "main.go"), hooks.Deny},
		{"a write", writeTo(map[string]any{"file_path": ".hooks/a.lua", "content": ""}), hooks.Ask},
		{"reading it", &hooks.Context{Event: hooks.PreToolCall, CWD: root, ToolCall: &hooks.ToolCall{Name: "Read", Input: map[string]any{"file_path": ".hooks/a.lua"}}}, hooks.Deny},
		{"a shell", bash("rm .hooks/a.lua"), hooks.Deny},
		{"an edit of nothing", edit(root), hooks.Deny},
		{"a relative path and no cwd", edit("", ".hooks/a.lua"), hooks.Deny},
		{"another folder", edit(filepath.Join(root, "x"), ".hooks/a.lua"), hooks.Deny},
		{"rewritten to another file", writeTo(map[string]any{"file_path": ".hooks/a.lua", "swap": true}), hooks.Deny},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			equal(t, "decision", fire(t, e, test.event).Decision, test.want)
		})
	}
}

// A rewrite by a lower scope is judged by the file that can't be used, too.
func TestMendingThatIsRewritten(t *testing.T) {
	user := tree(t, "-- hooks/broken.lua --\nx x\n")
	e, _ := project(t, "-- .hooks/a.lua --\non('pre_tool_call', {name='project'}, function(ev) if ev.tool_call.input.swap then return modify{file_path='main.go'} end end)\n", engine.WithUserDir(user))
	writeTo := func(input map[string]any) *hooks.Result {
		input["file_path"] = "hooks/broken.lua"
		return fire(t, e, &hooks.Context{Event: hooks.PreToolCall, CWD: user, ToolCall: &hooks.ToolCall{Name: "Write", Input: input}})
	}
	equal(t, "as it was", writeTo(map[string]any{}).Decision, hooks.Ask)
	r := writeTo(map[string]any{"swap": true})
	equal(t, "to another file", runs(r)+" "+string(r.Decision), "load project load* deny")
}

// A file that can't be used blocks after the hooks beside it and above it have
// spoken, and the scopes below still do.
func TestLoadFailureAndOtherScopes(t *testing.T) {
	user := tree(t, "-- hooks/broken.lua --\nx x\n-- hooks/fine.lua --\non('pre_tool_call', {name='user', priority=-5}, function(ev) if ev.tool_call.command == 'rm' then return deny('user') end end)\n")
	root := tree(t, "-- .hooks/a.lua --\non('pre_tool_call', {name='project'}, function() return deny('project') end)\n")
	e := newEngine(t, engine.WithUserDir(user), engine.WithProject(engine.Project{Root: root}),
		engine.WithScript("embedder.lua", `on("pre_tool_call", {name="embedder"}, function(ev) if ev.tool_call.command == "halt" then return deny("embedder") end end)`))
	r := fire(t, e, bash("halt"))
	equal(t, "a higher scope's deny", r.Reason, "embedder")
	equal(t, "runs", runs(r), "embedder")
	r = fire(t, e, bash("rm"))
	equal(t, "a deny of the same scope", r.Reason, "user")
	equal(t, "runs", runs(r), "embedder user")
	r = fire(t, e, bash("ls"))
	contains(t, r.Reason, "broken.lua")
	equal(t, "runs", runs(r), "embedder user load project")
	equal(t, "status of the last", r.Summary().Runs[3].Status, hooks.StatusBlocked)
}

// A script without a file has no edit that would fix it.
func TestLoadFailureOfAnInlineScript(t *testing.T) {
	e := lua(t, "x x")
	r := fire(t, e, bash("ls"))
	contains(t, r.Reason, "a.lua:1", "Its hooks are guards", "fix it.", "\n  1 | x x\n    |   ^")
	if strings.Contains(r.Reason, "edit of the file") {
		t.Errorf("reason: %s", r.Reason)
	}
	equal(t, "an edit", fire(t, e, edit("/", "/a.lua")).Decision, hooks.Deny)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	again, err := e.Fire(ctx, bash("ls"))
	equal(t, "reason when the caller gave up", again.Reason, r.Reason)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error: %v", err)
	}
}

func TestReasonsAreSentences(t *testing.T) {
	for _, text := range []string{"boom", "boom.", "boom!", "boom?"} {
		e := lua(t, `on("pre_tool_call", {name="a"}, function() error("`+text+`") end)`)
		r := fire(t, e, bash("ls"))
		want := "hook a failed at a.lua:1: " + strings.TrimSuffix(text, ".") + ". It is a guard"
		if strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?") {
			want = "hook a failed at a.lua:1: " + text + " It is a guard"
		}
		contains(t, r.Reason, want)
	}
}
