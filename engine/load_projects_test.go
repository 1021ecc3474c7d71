package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

const guard = "-- hooks/guard.lua --\non('pre_tool_call', {name='guard'}, function(ev) if ev.tool_call.command == 'rm x' then return deny('guarded') end end)\n"

// bombs are projects that would keep a process busy if all of them was read and loaded.
func bombs(t *testing.T) map[string]string {
	t.Helper()
	const small = "on('stop', function() end)\n"
	each := func(n int, name, text string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "-- .hooks/"+name+" --\n%s", i, text)
		}
		return b.String()
	}
	spin := "for i = 1, 2400000 do local x = i end\n" + small // nearly all that one may
	dense := strings.Repeat("do local a = {} a.b = a.c and a.d or (a.e or 1) + 2 end\n", 1000)
	return map[string]string{
		"many files":                each(1900, "f%04d.lua", spin),
		"one that spins":            each(1, "f%d.lua", "while true do end"),
		"some that spin":            each(20, "f%02d.lua", spin),
		"much source":               each(200, "f%03d.lua", dense+small),
		"libraries":                 each(200, "lib/f%03d.lua", dense),
		"a library that spins":      each(20, "f%02d.lua", "require('spin')") + "-- .hooks/lib/spin.lua --\n" + spin,
		"protected calls that spin": each(20, "f%02d.lua", "pcall(function() while true do end end)"),
		"matchers":                  each(30, "f%02d.lua", "for i = 1, 400 do on('pre_tool_call', {match='/([a-z]+x){100}/'}, function() end) end\n"),
		"entries of a folder":       each(10_100, "lib/f%05d.txt", ""),
		"more files than may be":    each(2100, "f%04d.lua", small),
		"hooks.yaml":                "-- .hooks/hooks.yaml --\nhooks:\n  pre_tool_call:\n" + strings.Repeat("    - {command: a, match: '/[a-z]{30}x+/'}\n", 1500),
		"folded classes":            "-- .hooks/hooks.yaml --\nhooks:\n  pre_tool_call:\n" + strings.Repeat("    - {command: a, match: '/(?i)[B-😀]/'}\n", 1500),
		"a listed file that spins":  each(1, "x%d.lua", spin) + "-- .hooks/hooks.yaml --\nhooks:\n  stop:\n" + strings.Repeat("    - {script: .hooks/x0.lua}\n", 30),
	}
}

// TestGuardsDecideBeforeAProjectIsTouched denies an event with a guard of the user's, and
// changes the project then: had anything of it been read, that would come too late.
func TestGuardsDecideBeforeAProjectIsTouched(t *testing.T) {
	for name, files := range bombs(t) {
		t.Run(name, func(t *testing.T) {
			root := tree(t, files)
			e := newEngine(t, engine.WithUserDir(tree(t, guard)), engine.WithProject(engine.Project{Root: root}))
			r := fire(t, e, bash("rm x"))
			equal(t, "reason", r.Reason, "guarded")
			equal(t, "runs", runs(r), "guard")
			equal(t, "warnings", len(r.Warnings), 0)

			if err := os.RemoveAll(filepath.Join(root, ".hooks")); err != nil {
				t.Fatal(err)
			}
			write(t, root, "-- .hooks/a.lua --\non('pre_tool_call', {name='new'}, function() return context('hello') end)\n")
			r = fire(t, e, bash("ls"))
			equal(t, "runs once it is let on", runs(r), "guard new")
			equal(t, "generation", r.Summary().Generation, 1)
		})
	}
}

// TestProjectsHaveABudgetToLoad lets the bombs load.
func TestProjectsHaveABudgetToLoad(t *testing.T) {
	for name, files := range bombs(t) {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t, engine.WithUserDir(tree(t, guard)), engine.WithProject(engine.Project{Root: tree(t, files)}), engine.WithLoading(25_000_000))
			r := fire(t, e, bash("ls"))
			equal(t, "decision", r.Decision, "deny")
			equal(t, "the guard's run", string(r.Summary().Runs[0].Status), "completed")
			if n := r.Summary().Runs[0].Instructions; n > 100 {
				t.Errorf("the guard took %d instructions", n)
			}
		})
	}
}

func TestTheBudgetToLoadIsOne(t *testing.T) {
	spin := "local s = ('x'):rep(1e6)\nfor i = 1, 64 do s:find('y', 1, true) end\non('stop', function() end)\n" // some 4 million instructions
	files := "-- .hooks/lib/a.lua --\nreturn 1\n"
	for i := range 15 {
		files += fmt.Sprintf("-- .hooks/f%02d.lua --\n%s", i, spin)
	}
	const limit = "-- hooks.yaml --\nhooks: {limits: {loading: %d}}\n"
	more := fmt.Sprintf(limit, 100_000_000)
	tests := []struct {
		name, user, project string
		options             []engine.Option
		want                []string // in the problem; nil: there is none
	}{
		{"nobody says anything", "", "", nil, []string{".hooks: ", "50000000 instructions", "limits.loading", "engine.WithLoading", "reached at .hooks/f1"}},
		{"the embedder gives it more", "", "", []engine.Option{engine.WithLoading(100_000_000)}, nil},
		{"the user does", more, "", nil, nil},
		{"the user tightens what the embedder gives", fmt.Sprintf(limit, 10_000_000), "", []engine.Option{engine.WithLoading(100_000_000)}, []string{"10000000 instructions"}},
		{"the user can't give it more than the embedder", more, "", []engine.Option{engine.WithLoading(20_000_000)}, []string{"20000000 instructions"}},
		{"the environment can't give it more", "", "", []engine.Option{engine.WithManagedEnv(managed(t, more))}, []string{"50000000 instructions"}},
		{"it gives itself more", "", "-- .hooks/" + strings.TrimPrefix(more, "-- "), nil, []string{"50000000 instructions", "limits.loading: only the user's own and the managed hooks.yaml may say this"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			options := append(test.options, engine.WithUserDir(tree(t, test.user)), engine.WithProject(engine.Project{Root: tree(t, files+test.project)}))
			e := newEngine(t, options...)
			if test.want == nil {
				equal(t, "problems", problems(e), "")
				return
			}
			contains(t, problems(e), test.want...)
			r := fire(t, e, bash("ls"))
			equal(t, "decision", r.Decision, "deny")
			contains(t, r.Reason, "limits.loading")
		})
	}
}

// A project that is read again has its budget again, and what it took is not carried on.
func TestTheBudgetToLoadIsOfEachReading(t *testing.T) {
	e, _ := project(t, "-- .hooks/a.lua --\nfor i = 1, 2400000 do local x = i end\non('stop', function() end)\n", engine.WithLoading(8_000_000))
	for range 5 {
		if err := e.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "problems", problems(e), "")
}

// The first event, which finds the project unread, comes to the same as the next one.
func TestTheFirstEventIsLikeTheNext(t *testing.T) {
	user := "-- hooks/u.lua --\n" + `
on("pre_tool_call", {name="u", priority=-5}, function(ev) if ev.tool_call.command:find("rm") then return ask("rm? " .. tostring(ev.judging)) end end)
on("pre_tool_call", {name="p1", mode="parallel"}, function() return context("one") end)
on("post_tool_call", {name="seen", mode="async"}, function() end)
`
	own := "-- .hooks/p.lua --\n" + `
on("pre_tool_call", {name="rewrites", priority=100, match="bash"}, function(ev) if ev.tool_call.command == "ls" then return modify{command="rm x"} end end)
on("pre_tool_call", {name="p2", mode="parallel"}, function() return context("two") end)
on("pre_tool_call", {name="data"}, function() return {data={k=1}} end)
on("stop", {name="goes on"}, function() return deny("not yet") end)
on("session_end", {name="last", always=true}, function() return context("bye") end)
`
	events := map[string]*hooks.Context{
		"rewritten":           bash("ls"),
		"not rewritten":       bash("make"),
		"asked":               bash("rm y"),
		"stop":                {Event: hooks.Stop},
		"another spelling":    {Event: "PreToolUse", ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": "ls"}}},
		"the project's alone": {Event: hooks.SessionEnd},
		"nobody's":            {Event: hooks.Notification, Fields: map[string]any{"message": "x"}},
	}
	for name, event := range events {
		t.Run(name, func(t *testing.T) {
			see := func(loadedBefore bool) string {
				e, _ := project(t, own+"-- .hooks/broken.lua --\nx x\n-- .hooks/hooks.yaml --\nhooks: {on_failure: warn}\n", engine.WithUserDir(tree(t, user)))
				register(t, e, hooks.PreToolCall, hooks.Options{Name: "go"}, func(context.Context, *hooks.Context) (*hooks.Result, error) { return nil, nil })
				if loadedBefore {
					e.LoadErrors()
				}
				r := fire(t, e, event)
				var b strings.Builder
				fmt.Fprintln(&b, r.Decision, r.Reason, asJSON(t, r.Input), asJSON(t, r.Data), asJSON(t, r.Contexts), r.Warnings, r.Summary().Generation, e.Generation())
				for _, run := range r.Summary().Runs {
					fmt.Fprintln(&b, run.Hook, run.Scope, run.Order, run.Status, run.Judging)
				}
				return b.String()
			}
			equal(t, "the first event", see(false), see(true))
		})
	}
}

// handler calls a function for each record of the log.
type handler struct {
	slog.Handler
	called func(message string)
}

func (h handler) Handle(_ context.Context, r slog.Record) error { h.called(r.Message); return nil }
func (h handler) WithAttrs([]slog.Attr) slog.Handler            { return h }
func (h handler) Enabled(context.Context, slog.Level) bool      { return true }

// TestProjectIsLoadedOnce has several events come while the project is being loaded, with
// contexts of their own.
func TestProjectIsLoadedOnce(t *testing.T) {
	begun, goOn := make(chan bool, 10), make(chan bool)
	var once sync.Once
	logger := slog.New(handler{slog.NewTextHandler(&bytes.Buffer{}, nil), func(message string) {
		if message == "loading" {
			begun <- true
			<-goOn
		}
	}})
	e, _ := project(t, "-- .hooks/a.lua --\nprint('loading')\non('pre_tool_call', {name='a'}, function() end)\n", engine.WithLogger(logger), patient, engine.WithMaxStates(1))
	defer once.Do(func() { close(goOn) })
	impatient, cancel := context.WithCancel(t.Context())
	var waiting sync.WaitGroup
	waiting.Go(func() {
		r, err := e.Fire(impatient, bash("ls"))
		if !errors.Is(err, context.Canceled) || r.Decision != hooks.Deny {
			t.Errorf("an event that gave up: %v, %s", err, asJSON(t, r))
		}
		contains(t, r.Reason, "the caller gave up while the project's hooks were being loaded")
	})
	<-begun
	cancel()
	waiting.Wait()
	for range 5 {
		waiting.Go(func() {
			r, err := e.Fire(t.Context(), bash("ls"))
			if err != nil || runs(r) != "a" || r.Decision != hooks.NoOpinion {
				t.Errorf("%v, %s", err, asJSON(t, r))
			}
		})
	}
	once.Do(func() { close(goOn) })
	waiting.Wait()
	equal(t, "loaded again", len(begun), 0)
}

// TestLoadingOfAProjectIsNobodysTime has the loading take longer than the event has: neither
// the project's hooks nor the guard that judges again pay for that.
func TestLoadingOfAProjectIsNobodysTime(t *testing.T) {
	root := tree(t, "-- .hooks/a.lua --\nprint('loading')\non('pre_tool_call', function() return modify{command='rm x'} end)\n")
	user, trust := tree(t, guard), trusted(t, root)
	synctest.Test(t, func(t *testing.T) {
		logger := slog.New(handler{slog.NewTextHandler(&bytes.Buffer{}, nil), func(message string) {
			if message == "loading" {
				time.Sleep(4 * time.Second)
			}
		}})
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithUserDir(user), trust, engine.WithProject(engine.Project{Root: root}), engine.WithLogger(logger), engine.WithEventTimeout(3*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "reason", fire(t, e, bash("ls")).Reason, "guarded")
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A file that the user has broken may be edited together with one of the project's, which
// nobody has read so far.
func TestEditOfFilesThatAreNotReadYet(t *testing.T) {
	root, user := tree(t, "-- .hooks/a.lua --\nx x\n"), tree(t, "-- hooks/b.lua --\ny y\n")
	for _, files := range [][]string{{root + "/.hooks/a.lua"}, {root + "/.hooks/a.lua", user + "/hooks/b.lua"}} {
		e := newEngine(t, engine.WithProject(engine.Project{Root: root}), engine.WithUserDir(user))
		equal(t, "an edit", fire(t, e, edit(root, files...)).Decision, "ask")
	}
}

func TestProjectThatIsRefused(t *testing.T) {
	e := newEngine(t, engine.WithUserDir(tree(t, guard)), engine.WithProject(engine.Project{Root: t.TempDir(), Refused: errors.New("it is somebody else's")}))
	equal(t, "a guard", fire(t, e, bash("rm x")).Reason, "guarded")
	r := fire(t, e, bash("ls"))
	equal(t, "decision", r.Decision, "deny")
	contains(t, r.Reason, "it is somebody else's")
}

// Closing doesn't leave a loading behind.
func TestCloseOfAnUnreadProject(t *testing.T) {
	e, err := engine.New(engine.WithProject(engine.Project{Root: tree(t, "-- .hooks/a.lua --\non('stop', function() end)\n")}))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "problems", len(e.LoadErrors()), 0)
}

// The user's file that is broken when the hooks are read again leaves an unread project
// with the last good hooks.
func TestReloadOfAnUnreadProject(t *testing.T) {
	root, user := tree(t, "-- .hooks/a.lua --\non('pre_tool_call', {name='a'}, function() end)\n"), tree(t, guard)
	e := newEngine(t, engine.WithProject(engine.Project{Root: root}), engine.WithUserDir(user))
	write(t, user, "-- hooks/guard.lua --\nx x\n")
	err := e.Reload(t.Context())
	if err == nil {
		t.Fatal("no error")
	}
	contains(t, err.Error(), "the last good ones stay in force")
	equal(t, "runs", runs(fire(t, e, bash("ls"))), "guard a")

	e = newEngine(t, engine.WithProject(engine.Project{Root: root}))
	write(t, root, "-- .hooks/a.lua --\nx x\n")
	if err := e.Reload(t.Context()); err == nil {
		t.Error("no error")
	}
	equal(t, "a project that was never good", fire(t, e, bash("ls")).Decision, "deny")
}
