package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// What stands in for the default guard and what doesn't, beside WithBuiltin.
func TestWhatStandsInForTheGuard(t *testing.T) {
	const guard, off = "hooks: {pre_tool_call: [{builtin: safety-guard}]}\n", "hooks: {pre_tool_call: [{builtin: safety-guard, enabled: false}]}\n"
	user := func(yaml string) engine.Option { return engine.WithUserDir(tree(t, "-- hooks.yaml --\n"+yaml)) }
	managedBy := func(yaml string) engine.Option { return engine.WithManaged(managed(t, "-- hooks.yaml --\n"+yaml)) }
	environment := func(yaml string) engine.Option { return engine.WithManagedEnv(managed(t, "-- hooks.yaml --\n"+yaml)) }
	added := engine.WithBuiltin("safety-guard", nil)
	tests := []struct {
		name    string
		options []engine.Option
		want    string
	}{
		{"the managed one stands in", []engine.Option{managedBy(guard)}, "managed "},
		{"the managed one takes it away", []engine.Option{managedBy(off)}, ""},
		{"a managed file that is off says nothing", []engine.Option{managedBy("hooks: {enabled: false}\n")}, "user "},
		{"the environment only adds", []engine.Option{environment(guard)}, "managed user "},
		{"the environment takes nothing away", []engine.Option{environment(off)}, "user "},
		{"what is off doesn't count as there", []engine.Option{user(off), added}, "user "},
		{"nor does what stands in a file that is off", []engine.Option{user("hooks: {enabled: false, pre_tool_call: [{builtin: safety-guard}]}\n"), added}, "user "},
		{"one that is left for some events is not whole", []engine.Option{user("hooks: {permission_request: [{builtin: safety-guard, with: {level: standard}}]}\n"), added}, "user user "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			equal(t, "scopes", builtinsOf(t, tt.options...), tt.want)
		})
	}
}

// What is to be fixed where a built-in can't be used is the entry that names it.
func TestPlaceOfABuiltinsMistake(t *testing.T) {
	root := tree(t, "-- .hooks/hooks.yaml --\nhooks:\n  pre_tool_call:\n  - {builtin: safety-guard, with: {levle: x}}\n")
	e, err := engine.New(engine.WithProject(engine.Project{Root: root}))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	if place := problems(e); !strings.HasPrefix(place, ".hooks/hooks.yaml:3") {
		t.Errorf("problem: %s", place)
	}
}

// A built-in of which it is known what it registers is loaded by the first event that it
// is for, and whatever goes wrong then is a failure of its hook.
func TestBuiltinsLoadWhenTheyAreNeeded(t *testing.T) {
	engine.SetBuiltin(t, "safety-guard", `error("not yet")`, true)
	listed := func(entry string) engine.Option {
		return engine.WithUserDir(tree(t, "-- hooks.yaml --\n"+entry))
	}
	for _, tt := range []struct {
		name   string
		option engine.Option
		early  bool
	}{
		{"by default", engine.WithEventTimeout(time.Minute), false},
		{"listed", listed("hooks: {pre_tool_call: [{builtin: safety-guard}]}\n"), false},
		{"with options", listed("hooks: {pre_tool_call: [{builtin: safety-guard, with: {level: strict}}]}\n"), true},
		{"with a time of its own", listed("hooks: {pre_tool_call: [{builtin: safety-guard, timeout: 100ms}]}\n"), true},
		{"with little time", engine.WithLimits(engine.Limits{Timeout: time.Second}), true},
		{"with few instructions", listed("hooks: {limits: {instructions: 1000000}, pre_tool_call: [{builtin: safety-guard}]}\n"), true},
		{"with little memory", engine.WithLimits(engine.Limits{Memory: 1 << 20}), true},
		{"with little time for an event", engine.WithEventTimeout(time.Second), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, err := engine.New(tt.option)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close(t.Context())
			if tt.early {
				contains(t, problems(e), "not yet")
				return
			}
			equal(t, "problems", problems(e), "")
			equal(t, "another event", len(fire(t, e, &hooks.Context{Event: hooks.Stop}).Summary().Runs), 0)
			r := fire(t, e, bash("ls"))
			equal(t, "decision", r.Decision, hooks.Deny)
			contains(t, r.Reason, "not yet")
		})
	}
}

// An entry that makes a hook async is held to what async hooks may do.
func TestListedAsAsync(t *testing.T) {
	for _, tt := range []struct{ entry, body, want string }{
		{"mode: async", "return deny('no')", "an async hook observes while the event goes on, so deny"},
		{"mode: async, on_failure: block", "", "an async hook can't block"},
		{"mode: async", "", ""},
	} {
		e, _ := project(t, "-- .hooks/hooks.yaml --\nhooks: {pre_tool_call: [{script: x.lua, "+tt.entry+"}]}\n-- x.lua --\non('pre_tool_call', function() "+tt.body+" end)\n")
		if tt.want == "" {
			equal(t, "problems", problems(e), "")
			equal(t, "runs", modes(fire(t, e, bash("ls"))), "x/async=queued")
			continue
		}
		contains(t, problems(e), ".hooks/hooks.yaml:1", tt.want)
		equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)
	}
}

// A broken script that two scopes list is a guard that is missing in both.
func TestFaultOfTwoScopes(t *testing.T) {
	broken := tree(t, "-- x.lua --\nx x\n") + "/x.lua"
	user := tree(t, "-- hooks.yaml --\nhooks: {pre_tool_call: [{script: '"+broken+"'}]}\n")
	e := newEngine(t, engine.WithManaged(managed(t, "-- hooks.yaml --\nhooks: {pre_tool_call: [{script: '"+broken+"', on_failure: warn}]}\n")), engine.WithUserDir(user))
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "load load")
	equal(t, "scopes", string(r.Summary().Runs[0].Scope)+" "+string(r.Summary().Runs[1].Scope), "managed user")
	equal(t, "decision", r.Decision, hooks.Deny)
}

// A script ends when the event's time is over, though its own is not.
func TestEventTimeoutEndsAScript(t *testing.T) {
	e := lua(t, `on("pre_tool_call", {timeout="1h"}, function() while true do end end)`,
		engine.WithLimits(engine.Limits{Instructions: 1e8, Timeout: time.Hour}), engine.WithEventTimeout(20*time.Millisecond))
	run := fire(t, e, bash("ls")).Summary().Runs[0]
	if run.Error == nil || run.Error.Limit != hooks.LimitTime {
		t.Errorf("run: %s", asJSON(t, run))
	}
}

// The engine's block is for hooks that can; an async one needs no word of its own.
func TestAsyncHookOfAnEngineThatBlocks(t *testing.T) {
	e := newEngine(t, engine.WithOnFailure(hooks.Block))
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "observer", Mode: hooks.ModeAsync}, nothing)
	equal(t, "runs", modes(fire(t, e, bash("ls"))), "observer/async=queued")
	_, err := e.RegisterHook(hooks.PreToolCall, hooks.Options{Mode: hooks.ModeAsync, OnFailure: hooks.Block}, nothing)
	if err == nil || !strings.Contains(err.Error(), "so it can't block") {
		t.Errorf("error: %v", err)
	}
}

func TestRegisterHookKnowsItsModes(t *testing.T) {
	_, err := newEngine(t).RegisterHook(hooks.PreToolCall, hooks.Options{Mode: "asynchronous"}, nothing)
	if err == nil || !strings.Contains(err.Error(), "luahook: RegisterHook: ") || !strings.Contains(err.Error(), "asynchronous") {
		t.Errorf("error: %v", err)
	}
}

// A Go hook is held to the embedder's bound, and what it answers is its own to change.
func TestGoHooksAndWhatTheyKeep(t *testing.T) {
	e := newEngine(t, engine.WithMaxFollowups(1))
	n := 0
	register(t, e, hooks.Stop, hooks.Options{}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		n++
		return &hooks.Result{Block: true, Reason: fmt.Sprint("more ", n)}, nil
	})
	equal(t, "blocks", stops(t, e, "x", 5), 1)

	kept := map[string]any{"k": []any{"v"}}
	register(t, e, hooks.PreToolCall, hooks.Options{}, answer(&hooks.Result{Output: kept}, nil))
	r := fire(t, e, bash("ls"))
	kept["k"].([]any)[0] = "changed"
	equal(t, "output", asJSON(t, r.Output), `{"k":["v"]}`)
}

// The options of the user's entry hold for the guard's other event too, unless that is
// named by itself, or the entry is wrong.
func TestOptionsOfTheGuardHoldForBothEvents(t *testing.T) {
	const command = "git reset --hard"
	for _, tt := range []struct {
		name, yaml string
		want       hooks.Decision // of permission_request
	}{
		{"nothing is said", "hooks: {}\n", hooks.Deny},
		{"of one event", "hooks: {pre_tool_call: [{builtin: safety-guard, with: {disable: ['git.*']}}]}\n", hooks.NoOpinion},
		{"each has its own", "hooks: {pre_tool_call: [{builtin: safety-guard, with: {disable: ['git.*']}}], permission_request: [{builtin: safety-guard}]}\n", hooks.Deny},
		{"they are wrong", "hooks: {pre_tool_call: [{builtin: safety-guard, with: {disable: ['git.*'], levle: strict}}]}\n", hooks.Deny},
	} {
		e, err := engine.New(engine.WithUserDir(tree(t, "-- hooks.yaml --\n"+tt.yaml)))
		if err != nil {
			t.Fatal(tt.name, err)
		}
		defer e.Close(t.Context())
		event := bash(command)
		event.Event = hooks.PermissionRequest
		equal(t, tt.name, fire(t, e, event).Decision, tt.want)
		if n := len(e.LoadErrors()); n > 1 {
			t.Errorf("%s: %d problems: %v", tt.name, n, e.LoadErrors())
		}
	}
}

// A built-in that is on by default goes where the user's hooks.yaml names it, whatever it says.
func TestWithBuiltinByDefault(t *testing.T) {
	engine.SetBuiltin(t, "error-logger", `local with = ... on("stop", function() return context("hello " .. ((with or {}).name or "you")) end)`)
	for name, c := range map[string]struct {
		yaml    string
		options []engine.Option
		want    string
	}{
		"nothing says anything":   {"hooks: {}", nil, "hello you"},
		"an entry with options":   {"hooks: {stop: [{builtin: error-logger, with: {name: ana}}]}", nil, "hello ana"},
		"one that is not enabled": {"hooks: {stop: [{builtin: error-logger, enabled: false}]}", nil, ""},
		"all hooks are off":       {"hooks: {enabled: false}", nil, ""},
		"no built-ins":            {"hooks: {}", []engine.Option{engine.WithoutBuiltins()}, ""},
		"added as well":           {"hooks: {}", []engine.Option{engine.WithBuiltin("error-logger", nil)}, "hello you"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, "-- hooks.yaml --\n"+c.yaml+"\n")
			e, err := engine.New(append(c.options, engine.WithUserDir(dir), engine.WithBuiltinByDefault("error-logger"))...)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close(context.Background())
			equal(t, "context", fire(t, e, &hooks.Context{Event: hooks.Stop}).NewContext, c.want)
		})
	}
	if _, err := engine.New(engine.WithBuiltinByDefault("error-loger")); err == nil || !strings.Contains(err.Error(), `"error-logger"`) {
		t.Errorf("an unknown built-in: %v", err)
	}
}

// A mistake in the entry of a built-in hook is told at its place, once, and shows the line.
func TestMistakesInEntriesOfBuiltins(t *testing.T) {
	for entry, want := range map[string]string{
		"{builtin: safety-guard, with: {levle: strict}}": `hooks.yaml:3:35: safety-guard: no option "levle", did you mean "level"?`,
		"{builtin: output-truncator}":                    `hooks.yaml:3:15: builtin:output-truncator registers nothing for pre_tool_call; it is for post_tool_call`,
	} {
		t.Run(entry, func(t *testing.T) {
			dir := tree(t, "-- hooks.yaml --\nhooks:\n  pre_tool_call:\n  - "+entry+"\n")
			e, err := engine.New(engine.WithUserDir(dir))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close(t.Context()) })
			told := problems(e)
			contains(t, told, want, "- "+entry)
			if strings.Count(told, "hooks.yaml:3") != 1 {
				t.Errorf("the place is told more than once:\n%s", told)
			}
		})
	}
}
