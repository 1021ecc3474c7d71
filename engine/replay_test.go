package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

// busyProject is a project whose hooks do all that hooks can do beside answering.
const busyProject = `
-- .hooks/hooks.yaml --
hooks:
  grant: {exec: [touch], fs.write: true, tasks: true, http: ["127.0.0.1:1"]}
  pre_tool_call: [{name: program, command: "touch program", match: {tool: read}}]
-- .hooks/a.lua --
on("pre_tool_call", { name = "all", match = "bash" }, function(ev)
  local c = ev.tool_call.command
  if c == "statement" then exec.run("touch", { "statement" }) http.post("http://127.0.0.1:1/", "x") end
  if c == "result" then local r = exec.run("touch", { "result" }) if r.code == 0 then return deny("ran") end end
  if c == "caught" then pcall(function() local r = http.get("http://127.0.0.1:1/") return r end) end
  if c == "write" then assert(fs.write("write", "x")) assert(tasks.create({ title = "t" })) end
  return context(tostring(store.incr("n")))
end)
on("pre_tool_call", { name = "async", mode = "async" }, function(ev) fs.write("async", "x") end)
`

func TestReplayDoesNothing(t *testing.T) {
	for _, runs := range []bool{false, true} {
		user := tree(t, "-- hooks.yaml --\nhooks:\n  store: file\n  tasks: file\n")
		root, tasks := tree(t, busyProject), filepath.Join(t.TempDir(), "tasks.jsonl")
		var mu sync.Mutex
		var refused []string
		e := newEngine(t, patient, engine.WithUserDir(user), engine.WithProject(engine.Project{Root: root}), trusted(t, root), engine.WithStore(store.NewMemory(0)), engine.WithTasks(task.NewFile(tasks, root)),
			engine.WithStores(func(name string) (store.Store, error) { t.Errorf("%s is opened", name); return nil, os.ErrInvalid }),
			engine.WithReplay(engine.Replay{Runs: runs, Refused: func(what string) {
				mu.Lock()
				defer mu.Unlock()
				refused = append(refused, what)
			}}))
		var told []string
		for _, c := range []*hooks.Context{bash("statement"), bash("result"), bash("caught"), bash("write"), {Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "read", Input: map[string]any{"file_path": "x"}}}} {
			r, err := e.Fire(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, string(r.Decision)+" "+r.NewContext+r.Reason)
		}
		if err := e.Drain(context.Background()); err != nil {
			t.Fatal(err)
		}
		var made []string
		for _, name := range []string{"statement", "result", "write", "async", "program"} {
			if _, err := os.Stat(filepath.Join(root, name)); err == nil {
				made = append(made, name)
			}
		}
		if _, err := os.Stat(tasks); (err == nil) != runs {
			t.Errorf("tasks were kept: %t, want %t", err == nil, runs)
		}
		if runs {
			if want := []string{"statement", "result", "write", "async", "program"}; !slices.Equal(made, want) || len(refused) > 0 {
				t.Errorf("it has made %q, and was refused %q", made, refused)
			}
			continue
		}
		if diff := cmp.Diff([]string{"exec.run", "http.get", "command hook program"}, refused); diff != "" || len(made) > 0 {
			t.Errorf("it has made %q; refused: %s", made, diff)
		}
		if got := strings.Join(told, ","); !strings.HasPrefix(got, " 1,deny ") || !strings.Contains(got, ", 2, 3,") {
			t.Errorf("the store has not counted: %s", got)
		}
	}
}
