package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/lib"
)

// standIn is a world in which every program prints its name, and there is nothing else.
type standIn struct{}

func (standIn) Now() time.Time    { return time.Unix(1_000_000, 0) }
func (standIn) Environ() []string { return []string{"CI=true", "OTHER=x"} }
func (standIn) Run(_ context.Context, p lib.Program) (lib.ProgramResult, error) {
	return lib.ProgramResult{Stdout: p.Name + " in " + p.Dir}, nil
}
func (standIn) Send(context.Context, lib.Request) (lib.Response, error) {
	return lib.Response{}, errors.New("no connection")
}
func (standIn) Git(_ context.Context, c lib.GitCall) (any, error) {
	if c.Function == "branch" {
		return "main", nil
	}
	return nil, lib.NoStandIn("nothing stands in for git." + c.Function)
}

// rehearsed is an engine for a test of a project whose hooks are given, in a root of its own.
func rehearsed(t *testing.T, r engine.Rehearsal, files map[string]string) *engine.Engine {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.New(engine.WithRehearsal(r), engine.WithProject(engine.Project{Root: root}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	return e
}

func fireCommand(t *testing.T, e *engine.Engine, root, command string) *hooks.Result {
	t.Helper()
	r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: root, ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": command}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What hooks reach is what stands in for it, within what they are granted; the project is
// trusted, its root is another, and what a script keeps in its locals ends with the event.
func TestRehearsal(t *testing.T) {
	elsewhere := t.TempDir()
	e := rehearsed(t, engine.Rehearsal{Root: elsewhere, Outside: standIn{}}, map[string]string{
		".hooks/hooks.yaml": "hooks:\n  grant: {env: [CI, HOME], exec: [make], git: true, http: [example.com], fs.write: true}\n  pre_tool_call:\n    - {command: \"echo no >&2; exit 2\"}\n",
		".hooks/a.lua": `local n = 0
on("pre_tool_call", { match = "bash" }, function(ev)
  n = n + 1
  local run = {
    n = function() return n end,
    make = function() return exec.run("make").stdout end,
    cargo = function() return select(2, pcall(exec.run, "cargo")) end,
    http = function() return select(2, http.get("https://example.com")) end,
    branch = function() return git.branch() end,
    head = function() return select(2, pcall(git.head)) end,
    time = function() return time.now() end,
    file = function() return fs.write("made.txt", "x") and "made" end,
    env = function() return (env.get("CI") or "") .. tostring(env.get("HOME")) .. #env.list() end,
    root = function() return ev.root end,
  }
  return deny(tostring(run[ev.tool_call.command]()))
end)`,
	})
	for command, want := range map[string]string{
		"n": "1", "make": "make in .", "cargo": "not granted", "http": "no connection", "branch": "main", "head": "nothing stands in for git.head", "time": "1000000", "file": "made", "env": "truenil1",
		"root": filepath.ToSlash(elsewhere),
	} {
		for range 2 {
			if got := fireCommand(t, e, elsewhere, command); !strings.Contains(got.Reason, want) || strings.Contains(got.Reason, "2") && want == "1" {
				t.Errorf("%s: got %q, want %q", command, got.Reason, want)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "made.txt")); err != nil {
		t.Error(err)
	}
	if !slices.ContainsFunc(e.Hooks(), func(h engine.HookInfo) bool {
		return h.Left == "command hooks don't run in tests" && strings.HasSuffix(h.Source, ".hooks/hooks.yaml:4")
	}) {
		t.Errorf("the command hook isn't listed as left out: %+v", e.Hooks())
	}
}

// The tracker and the store that the user's hooks.yaml names are left alone.
func TestRehearsalLeavesStoreAndTasksAlone(t *testing.T) {
	user, tasks := t.TempDir(), filepath.Join(t.TempDir(), "tasks.jsonl")
	text := "hooks:\n  store: \"redis://localhost:1/0\"\n  tasks: {tracker: file, path: " + tasks + "}\n  grant: {tasks: true}\n  pre_prompt:\n    - {script: a.lua}\n"
	for name, text := range map[string]string{"hooks.yaml": text, "a.lua": `on("pre_prompt", function() store.set("k", 1) return context(select(2, tasks.create({ title = "x" }))) end)`} {
		if err := os.WriteFile(filepath.Join(user, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.New(engine.WithRehearsal(engine.Rehearsal{}), engine.WithUserDir(user), engine.WithProject(engine.Project{Root: t.TempDir()}))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PrePrompt, Prompt: "x"})
	if err != nil || r.Summary().Runs[0].Error != nil || r.NewContext == "" {
		t.Errorf("got %+v, %v; want no tracker and a store", r, err)
	}
	if _, err := os.Stat(tasks); err == nil {
		t.Error("the tasks were written to the file that hooks.yaml names")
	}
}

// Hooks can be left out for an event.
func TestRehearsalSkips(t *testing.T) {
	only := ""
	e := rehearsed(t, engine.Rehearsal{Skip: func(source string) bool { return only != "" && !strings.HasPrefix(source, only) }}, map[string]string{
		".hooks/a.lua": `on("pre_tool_call", { match = "bash" }, function() return deny("a") end)`,
		".hooks/b.lua": `on("pre_tool_call", { match = "bash" }, function() return deny("b") end)`,
	})
	for _, file := range []string{"a", "b", "none"} {
		only = ".hooks/" + file + ".lua"
		want := file
		if file == "none" {
			want = ""
		}
		if got := fireCommand(t, e, "", "rm -rf /"); got.Reason != want {
			t.Errorf("only %s: got %q, want %q", file, got.Reason, want)
		}
	}
}

// A relative root would be another one in each folder.
func TestRehearsalRoot(t *testing.T) {
	if _, err := engine.New(engine.WithRehearsal(engine.Rehearsal{Root: "relative"})); err == nil {
		t.Error("a relative root is no error")
	}
}

// The managed file of the machine has no say in a test, and that of an option has.
func TestRehearsalLeavesManagedOut(t *testing.T) {
	managed := filepath.Join(t.TempDir(), "hooks.yaml")
	if err := os.WriteFile(managed, []byte("hooks:\n  pre_tool_call:\n    - {builtin: safety-guard, enabled: false}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.WithRehearsal(engine.Rehearsal{}), engine.WithManaged(managed), engine.WithoutBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	if left := e.Hooks(); len(left) != 1 || left[0].Scope != hooks.ScopeManaged {
		t.Errorf("got %+v, want the hook of the option's file", left)
	}
}
