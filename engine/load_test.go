package engine_test

import (
	"testing"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// builtinsOf lists the scopes in which the default guard runs.
func builtinsOf(t *testing.T, options ...engine.Option) string {
	t.Helper()
	e, err := engine.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	if p := problems(e); p != "" {
		t.Fatal("the built-ins don't load: " + p)
	}
	var scopes string
	for _, run := range fire(t, e, bash("ls")).Summary().Runs {
		scopes += string(run.Scope) + " "
	}
	return scopes
}

func TestDefaultGuard(t *testing.T) {
	if _, ok := builtins.Source(builtins.Default); !ok {
		t.Fatal("this build has no " + builtins.Default)
	}
	user := func(yaml string) engine.Option { return engine.WithUserDir(tree(t, "-- hooks.yaml --\n"+yaml+"\n")) }
	inProject := func(yaml string) engine.Option {
		return engine.WithProject(engine.Project{Root: tree(t, "-- .hooks/hooks.yaml --\n"+yaml+"\n")})
	}
	named := func(yaml string) engine.Option {
		return engine.WithHooksDir(tree(t, "-- hooks.yaml --\n"+yaml+"\n"), t.TempDir())
	}
	const guard = "hooks: {pre_tool_call: [{builtin: safety-guard}]}"
	const off = "hooks: {pre_tool_call: [{builtin: safety-guard, enabled: false}]}"
	tests := []struct {
		name    string
		options []engine.Option
		want    string
	}{
		{"on without configuration", nil, "user "},
		{"not with WithoutBuiltins", []engine.Option{engine.WithoutBuiltins()}, ""},
		{"the user's replaces it", []engine.Option{user(guard)}, "user "},
		{"the user takes it away", []engine.Option{user(off)}, ""},
		{"the user switches everything off", []engine.Option{user("hooks: {enabled: false}")}, ""},
		{"the user's for another event leaves it", []engine.Option{user("hooks: {permission_request: [{builtin: safety-guard}]}")}, "user "},
		{"the user takes it away under another event", []engine.Option{user("hooks: {permission_request: [{builtin: safety-guard, enabled: false}]}")}, ""},
		{"a project's is a second one", []engine.Option{inProject(guard)}, "user project "},
		{"a project can't take it away", []engine.Option{inProject(off)}, "user "},
		{"a project can't switch it off", []engine.Option{inProject("hooks: {enabled: false}")}, "user "},
		{"a folder that is named can't take it away", []engine.Option{named(off)}, "user "},
		{"configured ones go with WithoutBuiltins", []engine.Option{user(guard), inProject(guard), engine.WithoutBuiltins()}, ""},
		{"one that is added stays", []engine.Option{engine.WithoutBuiltins(), engine.WithBuiltin("safety-guard", nil)}, "user "},
		{"the same is not added twice", []engine.Option{engine.WithBuiltin("safety-guard", nil), engine.WithBuiltin("safety-guard", map[string]any{})}, "user "},
		{"nor beside the user's", []engine.Option{user(guard), engine.WithBuiltin("safety-guard", nil)}, "user "},
		{"with other options it is another", []engine.Option{engine.WithBuiltin("safety-guard", map[string]any{"level": "standard"})}, "user user "},
		{"the project's doesn't count", []engine.Option{inProject(guard), engine.WithoutBuiltins(), engine.WithBuiltin("safety-guard", nil)}, "user "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			equal(t, "scopes", builtinsOf(t, test.options...), test.want)
		})
	}
}

func TestDefaultGuardBlocks(t *testing.T) {
	e, err := engine.New()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	if p := problems(e); p != "" {
		t.Fatal("the built-ins don't load: " + p)
	}
	r := fire(t, e, bash("rm -rf /"))
	run := r.Summary().Runs[0]
	equal(t, "decision", string(r.Decision)+" "+run.Hook, "deny safety-guard")
	contains(t, run.Source, "builtin:safety-guard:")
}

// A built-in with options that it doesn't know can't be used, and says so.
func TestBuiltinThatDoesNotLoad(t *testing.T) {
	e := newEngine(t, engine.WithBuiltin(builtins.Default, map[string]any{"levle": "x"}))
	contains(t, problems(e), "builtin:safety-guard", "levle")
	equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)
	e2, root := project(t, "-- .hooks/hooks.yaml --\nhooks:\n  pre_tool_call:\n  - {builtin: safety-guard, with: {levle: x}}\n", func() engine.Option { return engine.WithMaxStates(8) }())
	equal(t, "problems without built-ins", problems(e2), "")
	e3, err := engine.New(engine.WithProject(engine.Project{Root: root}))
	if err != nil {
		t.Fatal(err)
	}
	defer e3.Close(t.Context())
	contains(t, problems(e3), "levle")
	equal(t, "an edit of the hooks.yaml that names it", fire(t, e3, edit(root, ".hooks/hooks.yaml")).Decision, hooks.Ask)
}

func TestNamesOfHooks(t *testing.T) {
	e, _ := project(t, `
-- .hooks/validate.lua --
on("pre_tool_call", function() end)
on("pre_tool_call", {name="own"}, function() end)
on("pre_tool_call", function() end)
on("stop", function() end)
`)
	equal(t, "runs", runs(fire(t, e, bash("ls"))), "validate own validate#2")
}

// A script listed for several events fails once.
func TestOneProblemPerMistake(t *testing.T) {
	e, _ := project(t, "-- .hooks/hooks.yaml --\nhooks: {stop: [{script: x.lua}], setup: [{script: x.lua}]}\n-- x.lua --\nx x\n")
	equal(t, "problems", len(e.LoadErrors()), 1)
	contains(t, problems(e), "x.lua:1")
}

// A file that can't be used is fixed in hooks.yaml or in the script that it lists.
func TestMendingAListedScript(t *testing.T) {
	e, root := project(t, "-- .hooks/hooks.yaml --\nhooks: {stop: [{script: x.lua}]}\n-- x.lua --\non('setup', function() end)\n")
	contains(t, problems(e), ".hooks/hooks.yaml:1:25: x.lua registers nothing for stop")
	for _, path := range []string{"x.lua", ".hooks/hooks.yaml"} {
		equal(t, path, fire(t, e, edit(root, path)).Decision, hooks.Ask)
	}
	equal(t, "other", fire(t, e, edit(root, "y.lua")).Decision, hooks.Deny)
}

// The user's entry stands in for the default under its own event and no other.
func TestDefaultGuardIsReplacedByEvent(t *testing.T) {
	if _, ok := builtins.Source(builtins.Default); !ok {
		t.Fatal("this build has no " + builtins.Default)
	}
	tests := []struct{ name, yaml, call, request string }{
		{"nothing", "hooks: {}", "safety-guard", "safety-guard"},
		{"one event", "hooks: {pre_tool_call: [{builtin: safety-guard, name: mine}]}", "mine", "safety-guard"},
		{"the other event", "hooks: {PermissionRequest: [{builtin: safety-guard, name: mine}]}", "safety-guard", "mine"},
		{"both events", "hooks: {pre_tool_call: [{builtin: safety-guard, name: mine}], permission_request: [{builtin: safety-guard, name: mine}]}", "mine", "mine"},
		{"one is off", "hooks: {pre_tool_call: [{builtin: safety-guard, enabled: false}]}", "", ""},
		{"all are off", "hooks: {enabled: false, pre_tool_call: [{builtin: safety-guard}]}", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, err := engine.New(engine.WithUserDir(tree(t, "-- hooks.yaml --\n"+test.yaml+"\n")))
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close(t.Context())
			request := bash("ls")
			request.Event = hooks.PermissionRequest
			equal(t, "pre_tool_call", problems(e)+runs(fire(t, e, bash("ls"))), test.call)
			equal(t, "permission_request", runs(fire(t, e, request)), test.request)
		})
	}
}
