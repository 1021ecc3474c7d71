package builtins_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

// prelude is available to a *_test.lua in addition to the modules. It is one line, so that the positions in
// messages are those of the file.
const prelude = `local names, tests = {}, {}; ` +
	`local function test(name, fn) names[#names + 1] = name; tests[name] = fn end; ` +
	`local function same(got, want, what) if type(got) == "table" or type(want) == "table" then got, want = json.encode(got), json.encode(want) end; if got ~= want then error((what and what .. ": " or "") .. "got " .. tostring(got) .. ", want " .. tostring(want), 2) end end; ` +
	`local function has(text_, part) if type(text_) ~= "string" or not text_:find(part, 1, true) then error("no " .. part .. " in: " .. tostring(text_), 2) end end; ` +
	`local function lacks(text_, part) if text_ ~= nil and text_:find(part, 1, true) then error(part .. " is in: " .. text_, 2) end end; ` +
	`local function start(yaml) local id = world.Start(yaml); return { ` +
	`fire = function(_, event, fields) local e = {}; for k, v in pairs(fields or {}) do e[k] = v end; e.event = event; local r, problem = world.Fire(id, e); if not r then error(tostring(problem), 2) end; return r end, ` +
	`problem = function() return world.Problem(id) end } end; ` +
	`on("lua.test", function(ev) if ev.metadata.name then tests[ev.metadata.name]() else return { data = { names = names } } end end); `

// TestLua runs the *_test.lua files beside the built-ins. Each gives its tests names:
//
//	test("three failures", function()
//	  world.Write("go.mod", "module x")          -- a file of the project
//	  world.Git("init", "-q")                    -- git in the project; tasks.create makes tasks
//	  local hooks = start([[                     -- a hooks.yaml of the user's; a new process, as it were
//	on_error: [{builtin: error-logger}]
//	]])
//	  local r = hooks:fire("on_error", { session_id = "a", error = { message = "boom" } })
//	  same(r.data.failures, 1)                   -- r is the Result as JSON has it
//	  has(r.new_context, "boom") lacks(r.new_context, "secret")
//	end)
//
// Each test has a project, a store and all else of its own; hooks that it starts one after
// the other share them, as processes would. hooks.problem() is why they don't load.
func TestLua(t *testing.T) {
	for _, file := range luaTests(t) {
		name := strings.TrimSuffix(filepath.Base(file), "_test.lua")
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, test := range namesOfTests(t, file, string(source)) {
				t.Run(test, func(t *testing.T) {
					w := newWorld(t)
					if _, err := runLua(t, w, file, string(source), test); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// luaTests are the files; TestLuaTestsAreThere checks that each built-in has one.
func luaTests(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*_test.lua")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func namesOfTests(t *testing.T, file, source string) []string {
	t.Helper()
	r, err := runLua(t, newWorld(t), file, source, "")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	list, _ := r.Data["names"].([]any)
	for _, n := range list {
		names = append(names, fmt.Sprint(n))
	}
	if len(names) == 0 {
		t.Fatalf("%s has no tests", file)
	}
	return names
}

// runLua runs one test of a file, or asks it for the names of its tests.
func runLua(t *testing.T, w *world, file, source, test string) (*hooks.Result, error) {
	t.Helper()
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithScript(filepath.Base(file), prelude+source),
		engine.WithHostObject("world", w, "Start", "Fire", "Problem", "Write", "Read", "Remove", "Link", "Git", "Program", "Break", "Root", "MakeHome"),
		engine.WithGrants(hooks.Grants{Tasks: true}), engine.WithTasks(w.tasks),
		engine.WithLimits(engine.Limits{Instructions: 1e10, Memory: 1 << 30, Timeout: 5 * time.Minute}))
	if err != nil {
		return nil, err
	}
	defer e.Close(t.Context())
	if problems := e.LoadErrors(); len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	metadata := map[string]any{}
	if test != "" {
		metadata["name"] = test
	}
	r, err := e.Fire(t.Context(), &hooks.Context{Event: "lua.test", Metadata: metadata})
	if err != nil {
		return nil, err
	}
	for _, run := range r.Summary.Runs {
		if run.Error != nil {
			return nil, errors.New(run.Error.Message + "\n" + run.Error.Traceback)
		}
	}
	return r, nil
}

// world is the environment of a test in Lua.
type world struct {
	t       *testing.T
	root    string // of the project
	home    string
	tasks   *task.File
	options []engine.Option // what all of its engines share: the store and so on
	engines []*engine.Engine
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, root: t.TempDir(), home: t.TempDir(), options: []engine.Option{engine.WithStore(store.NewMemory(100_000))}}
	for variable, folder := range map[string]string{"HOME": "", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache"} {
		t.Setenv(variable, filepath.Join(w.home, folder))
	}
	w.tasks = task.NewFile(filepath.Join(w.home, "tasks.jsonl"), w.root)
	w.options = []engine.Option{engine.WithStore(store.NewMemory(0)), engine.WithTasks(w.tasks)}
	return w
}

// Root is the project's folder.
func (w *world) Root() string { return w.root }

// MakeHome makes the project's folder the user's home.
func (w *world) MakeHome() { w.t.Setenv("HOME", w.root) }

// Start makes an engine of a hooks.yaml of the user's, whose lines under "hooks" are given.
func (w *world) Start(yaml string) (int, error) {
	dir := filepath.Join(w.home, "config", "luahook")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	text := "hooks:\n  " + strings.ReplaceAll(strings.TrimSpace(yaml), "\n", "\n  ") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "hooks.yaml"), []byte(text), 0o600); err != nil {
		return 0, err
	}
	options := append([]engine.Option{ample, engine.WithUserDir(dir), engine.WithProject(engine.Project{Root: w.root})}, w.options...)
	e, err := engine.New(options...)
	if err != nil {
		return 0, err
	}
	w.t.Cleanup(func() { e.Close(context.Background()) })
	w.engines = append(w.engines, e)
	return len(w.engines), nil
}

// Problem returns why the hooks of an engine don't load, "" if they do.
func (w *world) Problem(id int) string {
	if problems := w.engines[id-1].LoadErrors(); len(problems) > 0 {
		return errors.Join(problems...).Error()
	}
	return ""
}

// Fire fires an event given as JSON and returns the result as JSON.
func (w *world) Fire(ctx context.Context, id int, event map[string]any) (map[string]any, error) {
	e := w.engines[id-1]
	if problem := w.Problem(id); problem != "" {
		return nil, errors.New(problem)
	}
	text, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	c, err := hooks.DecodeContext(text, "")
	if err != nil {
		return nil, err
	}
	if c.CWD == "" {
		c.CWD = w.root
	}
	r, err := e.Fire(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, run := range r.Summary.Runs {
		if run.Error != nil {
			return nil, fmt.Errorf("%s: %s\n%s", run.Hook, run.Error.Message, run.Error.Traceback)
		}
	}
	if text, err = hooks.EncodeJSON(r); err != nil {
		return nil, err
	}
	var result map[string]any
	err = json.Unmarshal(text, &result)
	return result, err
}

// Write writes a file of the project.
func (w *world) Write(name, text string) error {
	file := filepath.Join(w.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// Read reads a file by its path, which may start at the project; "" where there is none.
func (w *world) Read(name string) (string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.root, filepath.FromSlash(name))
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// Remove removes a file or folder of the project.
func (w *world) Remove(name string) error {
	return os.RemoveAll(filepath.Join(w.root, filepath.FromSlash(name)))
}

// Link makes a link in the project to a path, which may start at the link's folder.
func (w *world) Link(target, name string) error {
	return os.Symlink(target, filepath.Join(w.root, filepath.FromSlash(name)))
}

// Program puts a shell script in front of the programs of that name.
func (w *world) Program(name, script string) error {
	dir := filepath.Join(w.home, "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if path := os.Getenv("PATH"); !strings.HasPrefix(path, dir) {
		w.t.Setenv("PATH", dir+string(filepath.ListSeparator)+path)
	}
	return os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755)
}

// Break makes the "store" or the "tasks" of what is started from now on fail.
func (w *world) Break(what string) error {
	switch what {
	case "store":
		w.options = append(w.options, engine.WithStore(brokenStore{}))
	case "tasks":
		w.options = append(w.options, engine.WithTasks(brokenTasks{}))
	default:
		return fmt.Errorf("there is no %s to break", what)
	}
	return nil
}

// Git runs git in the project, with a name and date of its own.
func (w *world) Git(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = w.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=kim", "GIT_AUTHOR_EMAIL=kim@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=kim", "GIT_COMMITTER_EMAIL=kim@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}
