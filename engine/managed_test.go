package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// managed writes files of which hooks.yaml is a managed one, whatever the umask.
func managed(t *testing.T, files string) (file string) {
	t.Helper()
	dir := tree(t, files)
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(p, 0o755)
	})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "hooks.yaml")
}

const managedGuard = `
-- hooks.yaml --
hooks: {pre_tool_call: [{name: managed, script: guard.lua}]}
-- guard.lua --
on("pre_tool_call", function(ev) if ev.tool_call.command == "no" then return deny("not here") end end)
-- other.lua --
x x
-- lib/x.lua --
x x
`

// The managed file of the machine is read by every engine, and alone in its folder.
func TestManagedFileIsAlwaysRead(t *testing.T) {
	engine.SetManagedFile(t, managed(t, managedGuard))
	e := newEngine(t)
	equal(t, "problems", problems(e), "")
	r := fire(t, e, bash("no"))
	equal(t, "runs", runs(r), "managed")
	equal(t, "reason", r.Reason, "not here")
	equal(t, "scope", r.Summary().Runs[0].Scope, hooks.ScopeManaged)
}

// What others say doesn't touch it, and its hooks come first.
func TestManagedHooksStay(t *testing.T) {
	if _, ok := builtins.Source(builtins.Default); !ok {
		t.Fatal("this build has no " + builtins.Default)
	}
	file := managed(t, "-- hooks.yaml --\nhooks: {pre_tool_call: [{builtin: safety-guard, name: managed}]}\n")
	const off = "hooks: {enabled: false, pre_tool_call: [{builtin: safety-guard, name: managed, enabled: false}]}\n"
	user := tree(t, "-- hooks.yaml --\n"+off)
	e, _ := project(t, "-- .hooks/hooks.yaml --\n"+off, engine.WithManaged(file), engine.WithUserDir(user), engine.WithoutBuiltins())
	equal(t, "runs", problems(e)+runs(fire(t, e, bash("ls"))), "managed")

	user = tree(t, "-- hooks/a.lua --\n"+strings.ReplaceAll(named, "NAME", "user")+"on('pre_tool_call', {name='first', priority=100}, function() end)\n")
	e = newEngine(t, engine.WithUserDir(user), engine.WithManaged(file))
	equal(t, "order", problems(e)+runs(fire(t, e, bash("ls"))), "managed first user")
}

func TestManagedFilesAddUp(t *testing.T) {
	engine.SetManagedFile(t, managed(t, managedGuard))
	more := managed(t, strings.ReplaceAll(managedGuard, "name: managed", "name: more"))
	e := newEngine(t, engine.WithManaged(more))
	equal(t, "runs", problems(e)+runs(fire(t, e, bash("ls"))), "managed more")
}

// A managed file that was asked for and isn't there is a guard that isn't there; that
// the machine has none is nothing.
func TestManagedFileThatIsMissing(t *testing.T) {
	dir := t.TempDir()
	engine.SetManagedFile(t, filepath.Join(dir, "luahook", "hooks.yaml"))
	e := newEngine(t)
	equal(t, "the machine's", problems(e), "")
	e = newEngine(t, engine.WithManaged(filepath.Join(dir, "more.yaml")))
	equal(t, "problems", problems(e), filepath.Join(dir, "more.yaml")+": no such file or directory")
	r := fire(t, e, bash("ls"))
	equal(t, "decision", r.Decision, hooks.Deny)
	equal(t, "scope", r.Summary().Runs[0].Scope, hooks.ScopeManaged)
	if err := os.Symlink("nowhere", filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	engine.SetManagedFile(t, filepath.Join(dir, "link.yaml"))
	equal(t, "a link to nowhere", fire(t, newEngine(t), bash("ls")).Decision, hooks.Deny)
}

func TestManagedFileWithAMistake(t *testing.T) {
	e := newEngine(t, engine.WithManaged(managed(t, "-- hooks.yaml --\nhooks:\n  stopp: []\n")))
	contains(t, problems(e), `hooks.yaml:2:3: unknown event "stopp"; did you mean "stop"?`, "    2 |   stopp: []\n      |   ^")
	equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)
}

func TestManagedFileNeedsAnAbsolutePath(t *testing.T) {
	for _, path := range []string{"", "hooks.yaml", "./hooks.yaml"} {
		for _, option := range []engine.Option{engine.WithManaged(path), engine.WithManagedEnv(path)} {
			if _, err := engine.New(option); err == nil || !strings.Contains(err.Error(), "no absolute path") {
				t.Errorf("%q: %v", path, err)
			}
		}
	}
}

// A file that the environment names can add hooks, and can't grant them anything.
func TestManagedFileFromTheEnvironment(t *testing.T) {
	const yaml = "-- hooks.yaml --\nhooks:\n  grant: {exec: [sh]}\n  pre_tool_call: [{name: managed, script: guard.lua}]\n-- guard.lua --\non('pre_tool_call', function() end)\n"
	e := newEngine(t, engine.WithManaged(managed(t, yaml)))
	equal(t, "problems", problems(e), "")

	file := managed(t, yaml)
	e = newEngine(t, engine.WithManagedEnv(file))
	contains(t, problems(e), file+":2:10: grant: an environment variable has named this file, and none grants anything; grant it in the managed file (", "2 |   grant: {exec: [sh]}")
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "managed load")
	equal(t, "decision", r.Decision, hooks.Deny)

	e = newEngine(t, engine.WithManagedEnv(managed(t, managedGuard)))
	equal(t, "without grants", problems(e)+runs(fire(t, e, bash("ls"))), "managed")
}

// A relative path starts at the file's folder, then at the project's root.
func TestManagedScriptPaths(t *testing.T) {
	const lua = "on('pre_tool_call', function() return allow('NAME') end)\n"
	script := func(name string) string { return strings.ReplaceAll(lua, "NAME", name) }
	file := managed(t, "-- hooks.yaml --\nhooks: {pre_tool_call: [{script: a.lua, name: a}, {script: tools/b.lua, name: b}]}\n-- a.lua --\n"+script("beside"))
	e, root := project(t, "-- a.lua --\n"+script("project")+"-- tools/b.lua --\n"+script("project"), engine.WithManaged(file))
	equal(t, "problems", problems(e), "")
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "a b")
	equal(t, "reason", r.Reason, "beside")

	// What lies in the project is not read from elsewhere, and no program of it runs.
	outside := tree(t, "-- b.lua --\n"+script("outside"))
	if err := os.RemoveAll(filepath.Join(root, "tools")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, "tools")); err != nil {
		t.Fatal(err)
	}
	if err := e.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), "script tools/b.lua: a link leads out of the project") {
		t.Error(err)
	}
	file = managed(t, "-- hooks.yaml --\nhooks: {pre_tool_call: [{script: check.sh}]}\n")
	e, _ = project(t, "-- check.sh --\nexit 0\n", engine.WithManaged(file))
	contains(t, problems(e), file+":1:34: script check.sh: no such file or directory")
}
