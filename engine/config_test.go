package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// listed is a project with a hooks.yaml and a script that reports how it was loaded.
func listed(t *testing.T, yaml string) *engine.Engine {
	t.Helper()
	e, _ := project(t, "-- .hooks/hooks.yaml --\n"+yaml+`
-- .hooks/a.lua --
local with = ...
on("pre_tool_call", {name="own name", match="bash", priority=1, on_failure="ignore"}, function(ev)
  if ev.tool_call.command == "fail" then error("boom") end
  if ev.tool_call.command == "loop" then while true do end end
  return {data={with=with}}
end)
on("stop", {name="on stop"}, function() end)
-- .hooks/b.lua --
on("pre_tool_call", {name="b", priority=5}, function() end)
`)
	if p := problems(e); p != "" {
		t.Fatal(p)
	}
	return e
}

func TestListedScript(t *testing.T) {
	write := event(t, hooks.PreToolCall, `{"tool_call":{"name":"write","input":{"file_path":"x"}}}`)
	stop := &hooks.Context{Event: hooks.Stop}
	tests := []struct {
		name, yaml        string
		bash, write, stop string // what runs
	}{
		{"not listed", "", "b own name", "b", "on stop"},
		{"comments only", "# nothing\n", "b own name", "b", "on stop"},
		{"empty sections", "hooks:\n  pre_tool_call:\n  limits:\n", "b own name", "b", "on stop"},
		{"its event only, and once", "hooks: {pre_tool_call: [{script: .hooks/a.lua}]}", "b own name", "b", ""},
		{"another event only", "hooks: {Stop: [{script: .hooks/a.lua}]}", "b", "b", "on stop"},
		{"both events", "hooks: {stop: [{script: .hooks/a.lua}], PreToolUse: [{script: .hooks/a.lua}]}", "b own name", "b", "on stop"},
		{"twice for one event", "hooks: {pre_tool_call: [{script: .hooks/a.lua, name: x}, {script: .hooks/a.lua, name: y}]}", "b x y", "b", ""},
		{"another way to write its path", "hooks: {pre_tool_call: [{script: ./.hooks/lib/../a.lua}]}", "b own name", "b", ""},
		{"name", "hooks: {pre_tool_call: [{script: .hooks/a.lua, name: other}]}", "b other", "b", ""},
		{"match", "hooks: {pre_tool_call: [{script: .hooks/a.lua, match: 'write|edit'}]}", "b", "b own name", ""},
		{"match everything", "hooks: {pre_tool_call: [{script: .hooks/a.lua, match: '*'}]}", "b own name", "b own name", ""},
		{"match fields", "hooks: {pre_tool_call: [{script: .hooks/a.lua, match: {kind: write, path: x}}]}", "b", "b own name", ""},
		{"priority", "hooks: {pre_tool_call: [{script: .hooks/a.lua, priority: 9}]}", "own name b", "b", ""},
		{"negative priority", "hooks: {pre_tool_call: [{script: .hooks/a.lua, priority: -9}, {script: .hooks/b.lua, priority: -10}]}", "own name b", "b", ""},
		{"a hook that is off", "hooks: {pre_tool_call: [{script: .hooks/a.lua, enabled: false}]}", "b", "b", ""},
		{"a hook that is on", "hooks: {pre_tool_call: [{script: .hooks/a.lua, enabled: true}]}", "b own name", "b", ""},
		{"a file that is off", "hooks: {enabled: false, pre_tool_call: [{script: .hooks/a.lua}]}", "", "", ""},
		{"a file that is on", "hooks: {enabled: true}", "b own name", "b", "on stop"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := listed(t, test.yaml)
			equal(t, "bash", runs(fire(t, e, bash("ls"))), test.bash)
			equal(t, "write", runs(fire(t, e, write)), test.write)
			equal(t, "stop", runs(fire(t, e, stop)), test.stop)
		})
	}
}

// An entry is understood under every spelling of its event.
func TestListedUnderEveryAlias(t *testing.T) {
	for _, info := range hooks.Events() {
		script := `on("` + string(info.Name) + `", {name="x"}, function() end)`
		for _, spelling := range append([]string{string(info.Name)}, info.Aliases...) {
			e, _ := project(t, "-- .hooks/hooks.yaml --\nhooks:\n  "+spelling+":\n  - script: x.lua\n-- x.lua --\n"+script)
			if p := problems(e); p != "" {
				t.Fatalf("%s: %s", spelling, p)
			}
			equal(t, spelling, runs(fire(t, e, event(t, info.Name, string(hooks.Sample(info))))), "x")
		}
	}
}

func TestListedScriptOptions(t *testing.T) {
	with := func(yaml string) string {
		return asJSON(t, fire(t, listed(t, yaml), bash("ls")).Data)
	}
	equal(t, "without with", with("hooks: {pre_tool_call: [{script: .hooks/a.lua}]}"), `{"with":{}}`)
	equal(t, "with", with(`
hooks:
  pre_tool_call:
  - script: .hooks/a.lua
    with:
      level: strict
      names: [a, b]
      depth: {max: 3, ratio: 0.5, big: 9007199254740991, huge: 18446744073709551615}
      on: true
`), `{"with":{"depth":{"big":9007199254740991,"huge":"18446744073709551615","max":3,"ratio":0.5},"level":"strict","names":["a","b"],"on":true}}`)

	fails := bash("fail")
	equal(t, "the script's on_failure", outcome(t, fire(t, listed(t, "hooks: {pre_tool_call: [{script: .hooks/a.lua}]}"), fails)), "ignore")
	equal(t, "on_failure", outcome(t, fire(t, listed(t, "hooks: {pre_tool_call: [{script: .hooks/a.lua, on_failure: warn}]}"), fails)), "warn")
	equal(t, "the script's over the file's", outcome(t, fire(t, listed(t, "hooks: {on_failure: block}"), fails)), "ignore")

	r := fire(t, listed(t, "hooks: {pre_tool_call: [{script: .hooks/a.lua, timeout: 1ms, on_failure: block}], limits: {instructions: 5000000}}"), bash("loop"))
	contains(t, r.Reason, "it ran longer than its 1ms")
}

// A hook that the script itself has switched off can be switched on.
func TestListedScriptIsSwitchedOn(t *testing.T) {
	const script = "\n-- .hooks/a.lua --\non('stop', {enabled=false, name='a'}, function() end)\n"
	e, _ := project(t, script)
	equal(t, "off", runs(fire(t, e, &hooks.Context{Event: hooks.Stop})), "")
	e, _ = project(t, script+"-- .hooks/hooks.yaml --\nhooks: {stop: [{script: .hooks/a.lua, enabled: true}]}\n")
	equal(t, "on", runs(fire(t, e, &hooks.Context{Event: hooks.Stop})), "a")
}

// Each limit is the tightest of those above a hook; a lower scope's don't reach up.
func TestLimitsOnlyTighten(t *testing.T) {
	const loop = `on("pre_tool_call", {name="NAME", timeout="1h", on_failure="warn"}, function() while true do end end)`
	tests := []struct {
		name             string
		engine           int64
		user, project    string
		want, wantOfUser string // instructions
	}{
		{"the project's own", 0, "", "2000", "2,000", ""},
		{"the user's holds the project", 0, "2000", "", "2,000", "2,000"},
		{"a project can't raise it", 0, "2000", "4000", "2,000", "2,000"},
		{"it can tighten it, for itself", 0, "4000", "2000", "2,000", "4,000"},
		{"the engine's holds all", 1000, "4000", "4000", "1,000", "1,000"},
		{"the user and the project tighten it", 4000, "3000", "2000", "2,000", "3,000"},
		{"a project is held to the defaults", 0, "", "9999999999", "5,000,000", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			yaml := func(limit string) string {
				if limit == "" {
					return "hooks:\n"
				}
				return "hooks: {limits: {instructions: " + limit + ", timeout: 1h}}\n"
			}
			user := tree(t, "-- hooks.yaml --\n"+yaml(test.user))
			if test.wantOfUser != "" {
				write(t, user, "-- hooks/u.lua --\n"+strings.ReplaceAll(loop, "NAME", "user"))
			}
			root := tree(t, "-- .hooks/hooks.yaml --\n"+yaml(test.project)+"-- .hooks/p.lua --\n"+strings.ReplaceAll(loop, "NAME", "project"))
			e := newEngine(t, engine.WithLimits(engine.Limits{Instructions: test.engine, Timeout: 1 << 40}), engine.WithUserDir(user), engine.WithProject(engine.Project{Root: root}))
			told := fire(t, e, bash("ls")).Warnings
			if test.wantOfUser != "" {
				contains(t, told[0], "hook user", "used up its "+test.wantOfUser+" instructions")
			}
			contains(t, told[len(told)-1], "hook project", "used up its "+test.want+" instructions")
		})
	}
}

// Above the defaults go the user's own configuration and a folder that the user
// names; a project doesn't, and neither of them where WithLimits has spoken.
func TestLimitsAboveTheDefaults(t *testing.T) {
	const long = `local n = 0 for i = 1, 3e6 do n = n + 1 end return {data={NAME=n}}`
	script := func(name string) string {
		return "on('stop', {timeout='1h'}, function() " + strings.ReplaceAll(long, "NAME", name) + " end)\n"
	}
	const raised = "hooks: {limits: {instructions: 100000000, timeout: 1h, memory: 1GiB}}\n" // of the heap, which other tests may have left large
	user := tree(t, "-- hooks.yaml --\n"+raised+"-- hooks/u.lua --\n"+script("user"))
	root := tree(t, "-- .hooks/hooks.yaml --\n"+raised+"-- .hooks/p.lua --\n"+script("project"))
	tests := []struct {
		name    string
		options []engine.Option
		want    string // of whom it lets through
	}{
		{"the user, not the project", []engine.Option{engine.WithUserDir(user), engine.WithProject(engine.Project{Root: root})}, `{"user":3000000}`},
		{"a folder that was named", []engine.Option{engine.WithHooksDir(filepath.Join(root, ".hooks"), root)}, `{"project":3000000}`},
		{"where the embedder has spoken", []engine.Option{engine.WithLimits(engine.Limits{Instructions: 6e6}), engine.WithUserDir(user), engine.WithHooksDir(filepath.Join(root, ".hooks"), root)}, `null`},
		{"where it has spoken of something else", []engine.Option{engine.WithLimits(engine.Limits{Timeout: time.Hour, Memory: 1 << 30}), engine.WithUserDir(user)}, `{"user":3000000}`},
		{"where it gives everybody more", []engine.Option{engine.WithLimits(engine.Limits{Instructions: 1e8, Timeout: time.Hour, Memory: 1 << 30}), engine.WithProject(engine.Project{Root: root})}, `{"project":3000000}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := fire(t, newEngine(t, test.options...), &hooks.Context{Event: hooks.Stop})
			equal(t, "data", asJSON(t, r.Data), test.want)
			for _, run := range r.Summary().Runs {
				if run.Error != nil && run.Error.Kind != hooks.KindLimit {
					t.Errorf("run: %s", asJSON(t, run))
				}
			}
		})
	}
}

// The memory limit of a file is kept, whatever unit it is written in, and the tightest
// holds.
func TestMemoryLimit(t *testing.T) {
	tests := []struct {
		name, user, project, want string
		engine                    int64
	}{
		{"the default", "", "", "64 MiB", 0},
		{"plain bytes", "", "{memory: 2097152}", "2 MiB", 0},
		{"a unit of two", "", "{memory: 2048KiB}", "2 MiB", 0},
		{"a unit of ten", "", "{memory: 3 MB}", "3,000,000 bytes", 0},
		{"small letters", "", "{memory: 5mib}", "5 MiB", 0},
		{"the user's holds the project", "{memory: 2MiB}", "{memory: 3MiB}", "2 MiB", 0},
		{"the project may tighten it", "{memory: 3MiB}", "{memory: 2MiB}", "2 MiB", 0},
		{"a project can't raise it", "", "{memory: 1GiB}", "64 MiB", 0},
		{"the user's doesn't raise it for the project", "{memory: 1GiB}", "{memory: 1GiB}", "64 MiB", 0},
		{"the engine's holds all", "{memory: 3MiB}", "", "2 MiB", 2 << 20},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			yaml := func(limits string) string {
				if limits == "" {
					return "hooks:\n"
				}
				return "hooks: {limits: " + limits + "}\n"
			}
			user := tree(t, "-- hooks.yaml --\n"+yaml(test.user))
			root := tree(t, "-- .hooks/hooks.yaml --\n"+yaml(test.project)+"-- .hooks/p.lua --\n"+`on("pre_tool_call", function() local s = ("x"):rep(2^18) while true do pcall(error, s) end end)`)
			e := newEngine(t, engine.WithProject(engine.Project{Root: root}), // which isn't trusted
				engine.WithUserDir(user), engine.WithLimits(engine.Limits{Timeout: time.Hour, Memory: test.engine}))
			r := fire(t, e, bash("ls"))
			equal(t, "problems", problems(e), "")
			equal(t, "limit", r.Summary().Runs[0].Error.Limit, hooks.LimitMemory)
			contains(t, r.Reason, "its "+test.want+" of memory")
		})
	}
}

// The user's limits hold where the embedder gives more.
func TestUsersLimitsHold(t *testing.T) {
	contains(t, lowest(t, "timeout: 2ms"), "it ran longer than its 2ms")
	contains(t, lowest(t, "instructions: 1000"), "used up its 1,000 instructions")
}

// lowest is why a hook fails that the user's limits hold.
func lowest(t *testing.T, limit string) string {
	t.Helper()
	user := tree(t, "-- hooks.yaml --\nhooks: {limits: {"+limit+"}}\n")
	e, _ := project(t, "-- .hooks/a.lua --\non('pre_tool_call', {timeout='1h'}, function() while true do end end)\n", engine.WithUserDir(user), engine.WithLimits(engine.Limits{Instructions: 1 << 60}))
	return fire(t, e, bash("ls")).Reason
}

func TestListedScriptPaths(t *testing.T) {
	outside := tree(t, "-- x.lua --\non('stop', {name='outside'}, function() end)\n")
	const script = "on('stop', {name='x'}, function() end)\n"
	tests := []struct {
		name, path string
		fault      string // empty: it runs
	}{
		{"in the project", "tools/x.lua", ""},
		{"absolute", "ROOT/tools/x.lua", ""},
		{"a link within", "link.lua", ""},
		{"above", "../x.lua", "it lies outside the project"},
		{"absolute, outside", filepath.Join(outside, "x.lua"), "it lies outside the project"},
		{"a link to a file outside", "out.lua", "a link leads out of the project"},
		{"through a link to a folder outside", "outdir/x.lua", "a link leads out of the project"},
		{"missing", "tools/y.lua", "no such file or directory"},
		{"a folder", "tools.lua", "not a regular file"},
		{"a pipe", "pipe.lua", "not a regular file"},
		{"a loop of links", "loop.lua", "too many levels"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, "-- tools/x.lua --\n"+script+"-- tools.lua/x --\n")
			for link, to := range map[string]string{"link.lua": "tools/x.lua", "out.lua": filepath.Join(outside, "x.lua"), "outdir": outside, "loop.lua": "loop.lua"} {
				if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
					t.Fatal(err)
				}
			}
			if err := mkfifo(filepath.Join(root, "pipe.lua")); err != nil {
				t.Fatal(err)
			}
			write(t, root, "-- .hooks/hooks.yaml --\nhooks:\n  stop:\n  - script: "+strings.ReplaceAll(test.path, "ROOT", root)+"\n")
			e := newEngine(t, engine.WithProject(engine.Project{Root: root}))
			if test.fault == "" {
				equal(t, "problems", problems(e), "")
				equal(t, "runs", runs(fire(t, e, &hooks.Context{Event: hooks.Stop})), "x")
				return
			}
			contains(t, problems(e), ".hooks/hooks.yaml:3:13: script ", test.fault)
			equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)
		})
	}
}

// In the user's files and under --hooks a path starts beside the file, then at the
// root.
func TestListedScriptPathsElsewhere(t *testing.T) {
	script := func(name string) string { return "on('stop', {name='" + name + "'}, function() end)\n" }
	user := tree(t, "-- hooks.yaml --\nhooks: {stop: [{script: mine.lua}, {script: hooks/b.lua}]}\n-- mine.lua --\n"+script("user")+"-- hooks/b.lua --\n"+script("b"))
	e := newEngine(t, engine.WithUserDir(user))
	equal(t, "user", problems(e)+runs(fire(t, e, &hooks.Context{Event: hooks.Stop})), "user b")

	root := tree(t, "-- h/hooks.yaml --\nhooks: {stop: [{script: x.lua}, {script: y.lua}]}\n-- h/x.lua --\n"+script("beside")+"-- x.lua --\n"+script("root x")+"-- y.lua --\n"+script("root"))
	e = newEngine(t, engine.WithHooksDir(filepath.Join(root, "h"), root))
	equal(t, "--hooks", problems(e)+runs(fire(t, e, &hooks.Context{Event: hooks.Stop})), "beside root")
}

func TestDisabledEntryOfAMissingScript(t *testing.T) {
	e, _ := project(t, "-- .hooks/hooks.yaml --\nhooks: {stop: [{script: no.lua, enabled: false}]}\n")
	equal(t, "problems", problems(e), "")
}

func TestConfigFileThatCantBeRead(t *testing.T) {
	tests := []struct {
		name string
		make func(path string) error
		want string
	}{
		{"a folder", func(p string) error { return os.Mkdir(p, 0o755) }, "it is not a regular file"},
		{"a pipe", func(p string) error { return mkfifo(p) }, "it is not a regular file"},
		{"too large", func(p string) error { return os.WriteFile(p, []byte("#"+strings.Repeat(" ", 1<<16)), 0o600) }, "it is larger than 65536 bytes"},
		{"a link to nowhere", func(p string) error { return os.Symlink("nowhere", p) }, "no such file or directory"},
		{"a link that leads out", func(p string) error { return os.Symlink("/etc/hosts", p) }, "a link leads out of the project"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, "-- .hooks/a.lua --\non('pre_tool_call', {name='a'}, function() end)\n")
			if err := test.make(filepath.Join(root, ".hooks", "hooks.yaml")); err != nil {
				t.Fatal(err)
			}
			e := newEngine(t, engine.WithProject(engine.Project{Root: root}))
			equal(t, "problems", problems(e), ".hooks/hooks.yaml: "+test.want)
			r := fire(t, e, bash("ls"))
			equal(t, "decision", r.Decision, hooks.Deny)
			equal(t, "the scripts beside it run", runs(r), "a load")
		})
	}
}

// A mistake blocks, and what is right beside it runs.
func TestConfigWithMistakes(t *testing.T) {
	e, root := project(t, "-- .hooks/hooks.yaml --\n"+`hooks:
  pre_tool_call:
    - {script: x.lua, name: one}
    - {script: x.lua, nmae: two, priority: high}
    - {script: x.lua, name: three}
  on_failur: block
-- x.lua --
on("pre_tool_call", function() end)
`)
	equal(t, "problems", problems(e), `.hooks/hooks.yaml:4:23: unknown key "nmae"; did you mean "name"?
    4 |     - {script: x.lua, nmae: two, priority: high}
      |                       ^
.hooks/hooks.yaml:4:44: priority: want a whole number
    4 |     - {script: x.lua, nmae: two, priority: high}
      |                                            ^
.hooks/hooks.yaml:6:3: unknown key "on_failur"; did you mean "on_failure"?
    6 |   on_failur: block
      |   ^`)
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "one three load")
	equal(t, "decision", r.Decision, hooks.Deny)
	equal(t, "reason", r.Reason, `.hooks/hooks.yaml:4:23 can't be loaded: unknown key "nmae"; did you mean "name"? Its hooks are guards, so nothing goes on without them: fix it; an edit of the file is asked about, not blocked.
  4 |     - {script: x.lua, nmae: two, priority: high}
    |                       ^`)
	equal(t, "warnings", len(r.Warnings), 3)
	equal(t, "an edit of it", fire(t, e, edit(root, ".hooks/hooks.yaml")).Decision, hooks.Ask)
	equal(t, "another event", fire(t, e, &hooks.Context{Event: hooks.Stop}).Decision, hooks.NoOpinion)
}

// An entry's mode and once override those of on.
func TestListedModeAndOnce(t *testing.T) {
	const script = "\n-- .hooks/a.lua --\non('stop', {name='a'}, function() end)\n"
	e, _ := project(t, "-- .hooks/hooks.yaml --\nhooks: {stop: [{script: .hooks/a.lua, once: true, mode: parallel}]}"+script)
	stop := &hooks.Context{Event: hooks.Stop, SessionID: "s"}
	r := fire(t, e, stop)
	equal(t, "runs", problems(e)+runs(r), "a")
	equal(t, "mode", r.Summary().Runs[0].Mode, hooks.ModeParallel)
	equal(t, "once more", runs(fire(t, e, stop)), "")
}
