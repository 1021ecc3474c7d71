package engine_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

// tasking makes a task at each notification.
const tasking = `on("notification", { timeout = "10s" }, function(ev)
  local task, problem = tasks.create{ title = ev.message, key = ev.message }
  return message(task and tostring(task.new) or problem)
end)`

func noteTask(t *testing.T, e *engine.Engine, message string) string {
	t.Helper()
	r := fire(t, e, &hooks.Context{Event: hooks.Notification, SessionID: "s-1", Fields: map[string]any{"message": message}})
	if run := r.Summary().Runs[0]; run.Error != nil {
		return run.Error.Message
	}
	return r.SystemMessage
}

func titles(t *testing.T, s engine.TaskSink) string {
	t.Helper()
	list, err := s.List(context.Background(), hooks.TaskQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, one := range list {
		all = append(all, one.Title)
	}
	return strings.Join(all, " ")
}

// A hook of on_block says that what the agent waits for is urgent.
func TestPriorityWhenBlocked(t *testing.T) {
	f := task.NewFile(filepath.Join(t.TempDir(), "tasks.jsonl"), t.TempDir())
	if _, _, err := f.Create(t.Context(), hooks.Task{Title: "the token", Parent: "shop-1"}); err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, engine.WithTasks(f), engine.WithGrants(hooks.Grants{Tasks: true}), engine.WithScript("block.lua", `on("on_block", { timeout = "10s" }, function(ev)
  for _, task in ipairs(assert(tasks.list{ issue = ev.issue_id })) do
    assert(tasks.update(task.id, { priority = 0 }))
  end
end)`))
	r := fire(t, e, &hooks.Context{Event: hooks.OnBlock, SessionID: "s-1", IssueID: "shop-1"})
	list, err := f.List(t.Context(), hooks.TaskQuery{})
	if err != nil || len(list) != 1 || list[0].Priority == nil || *list[0].Priority != 0 {
		t.Errorf("%+v, %v, %+v", list, err, r.Summary().Runs)
	}
}

// What the user's hooks.yaml says, and before it the managed one, is where tasks go; else
// what the program says.
func TestConfiguredTasks(t *testing.T) {
	state, root := t.TempDir(), t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	t.Setenv("PATH", t.TempDir())
	given := task.NewFile(filepath.Join(t.TempDir(), "given.jsonl"), root)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.jsonl")
	user := func(text string) engine.Option {
		return engine.WithUserDir(tree(t, "-- hooks.yaml --\nhooks: {tasks: "+text+"}\n"))
	}
	managed := engine.WithManaged(filepath.Join(tree(t, "-- hooks.yaml --\nhooks: {tasks: {file: managed.jsonl}}\n"), "hooks.yaml"))
	note := func(message string, options ...engine.Option) string {
		t.Helper()
		return noteTask(t, newEngine(t, append(options, engine.WithProject(engine.Project{Root: root}), engine.WithGrants(hooks.Grants{Tasks: true}), engine.WithScript("note.lua", tasking))...), message)
	}
	for _, test := range []struct{ message, got, want string }{
		{"none", note("none"), "no tracker of tasks is configured here"},
		{"given", note("given", engine.WithTasks(given)), "true"},
		{"again", note("given", engine.WithTasks(given)), "false"},
		{"file", note("file", engine.WithTasks(given), user("file")), "true"},
		{"relative", note("relative", user("{file: a/b.jsonl}")), "true"},
		{"absolute", note("absolute", user("{file: "+filepath.ToSlash(elsewhere)+"}")), "true"},
		{"managed", note("managed", user("bd"), engine.WithTasks(given), managed), "true"},
		{"bd", note("bd", engine.WithTasks(given), user("bd")), "install it from https://github.com/gastownhall/beads"},
		{"nowhere", noteTask(t, newEngine(t, user("file"), engine.WithGrants(hooks.Grants{Tasks: true}), engine.WithScript("note.lua", tasking)), "nowhere"), "there is no project here"},
	} {
		if !strings.Contains(test.got, test.want) {
			t.Errorf("%s: %s, want %s", test.message, test.got, test.want)
		}
	}
	dir := filepath.Join(state, "luahook")
	for path, want := range map[string]string{
		task.DefaultPath(dir, root):         "file",
		filepath.Join(dir, "a/b.jsonl"):     "relative",
		elsewhere:                           "absolute",
		filepath.Join(dir, "managed.jsonl"): "managed",
	} {
		if got := titles(t, task.NewFile(path, root)); got != want {
			t.Errorf("%s holds %q, want %s", path, got, want)
		}
	}
	if got := titles(t, given); got != "given" {
		t.Errorf("the program's tracker has %q", got)
	}
}

// A project can't say where tasks go: it would choose a program or a path.
func TestTasksAreNotTheProjects(t *testing.T) {
	for _, text := range []string{"bd", "file", "{file: /etc/passwd}"} {
		yaml := "hooks: {tasks: " + text + "}\n"
		for who, at := range map[string]engine.Option{
			"the project":     engine.WithProject(engine.Project{Root: tree(t, "-- .hooks/hooks.yaml --\n"+yaml)}),
			"the environment": engine.WithManagedEnv(managed(t, "-- hooks.yaml --\n"+yaml)),
		} {
			given := task.NewFile(filepath.Join(t.TempDir(), "given.jsonl"), "")
			e := newEngine(t, at, engine.WithTasks(given), engine.WithGrants(hooks.Grants{Tasks: true}), engine.WithScript("note.lua", tasking))
			contains(t, problems(e), "hooks.yaml:1:", "tasks: only the user's own and the managed hooks.yaml may say this")
			equal(t, who+" says "+text, noteTask(t, e, "x"), "true")
			equal(t, "what the embedder's tracker holds", titles(t, given), "x")
		}
	}
}

// A project's scripts have what hooks.yaml grants them once it is trusted.
func TestTasksAreGranted(t *testing.T) {
	given := engine.WithTasks(task.NewFile(filepath.Join(t.TempDir(), "given.jsonl"), ""))
	root := tree(t, "-- .hooks/a.lua --\n"+tasking+"\n-- .hooks/hooks.yaml --\nhooks: {grant: {tasks: true}}\n")
	at := engine.WithProject(engine.Project{Root: root})
	contains(t, noteTask(t, newEngine(t, given, at), "x"), "tasks.create: not granted")
	equal(t, "trusted", noteTask(t, newEngine(t, given, at, trusted(t, root)), "x"), "true")
}

// spillTo is a Spiller that keeps nothing.
type spillTo struct{ session, name, text string }

func (s *spillTo) Spill(_ context.Context, session, name, text string) (string, error) {
	*s = spillTo{session, name, text}
	return "/there", nil
}

func TestSpillIsGranted(t *testing.T) {
	const source = `on("notification", function(ev) return message(spill(ev.message, { name = "n" })) end)`
	s := &spillTo{}
	e := lua(t, source, engine.WithSpill(s), engine.WithGrants(hooks.Grants{FSRead: true}))
	if got := noteTask(t, e, "x"); !strings.Contains(got, "spill: not granted") || *s != (spillTo{}) {
		t.Errorf("%s, %+v", got, s)
	}
	e = lua(t, source, engine.WithSpill(s), engine.WithGrants(hooks.Grants{FSWrite: true}))
	if got := noteTask(t, e, "x"); got != "/there" || *s != (spillTo{"s-1", "n", "x"}) {
		t.Errorf("%s, %+v", got, s)
	}
}

func TestCacheDir(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for set, want := range map[string]string{"": filepath.Join(home, ".cache", "luahook"), "relative": filepath.Join(home, ".cache", "luahook"), home: filepath.Join(home, "luahook")} {
		t.Setenv("XDG_CACHE_HOME", set)
		if got := engine.CacheDir(); got != want {
			t.Errorf("with %q: %s, want %s", set, got, want)
		}
	}
}
