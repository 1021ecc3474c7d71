package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestOrder(t *testing.T) {
	user := tree(t, "-- hooks/z.lua --\non('pre_tool_call', {name='user', priority=-100}, function() end)\n")
	root := tree(t, `
-- .hooks/b.lua --
on("pre_tool_call", {name="b1"}, function() end)
on("pre_tool_call", {name="b-high", priority=5}, function() end)
on("pre_tool_call", {name="b2"}, function() end)
-- .hooks/a.lua --
on("pre_tool_call", {name="a"}, function() end)
on("pre_tool_call", {name="a-low", priority=-1}, function() end)
-- .hooks/c.lua --
on("pre_tool_call", {name="c-high", priority=5}, function() end)
on("pre_tool_call", {name="off", enabled=false}, function() end)
`)
	e := newEngine(t, engine.WithProject(engine.Project{Root: root}), engine.WithUserDir(user), engine.WithScript("embedder", `on("pre_tool_call", {name="embedder", priority=-200}, function() end)`))
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "go", Priority: -300}, nothing)
	r := fire(t, e, bash("ls"))
	equal(t, "order", runs(r), "embedder go user b-high c-high a b1 b2 a-low")
	for i, run := range r.Summary().Runs {
		equal(t, "place", run.Order, i+1)
	}
}

func TestReload(t *testing.T) {
	e, root := project(t, "-- .hooks/a.lua --\n"+script("one"))
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "go"}, nothing)
	unregister := register(t, e, hooks.PreToolCall, hooks.Options{Name: "gone"}, nothing)
	equal(t, "first", runs(fire(t, e, bash("ls"))), "go gone one")
	generation := e.Generation()

	write(t, root, "-- .hooks/a.lua --\n"+script("two")+"-- .hooks/b.lua --\n"+script("three"))
	equal(t, "before the reload", runs(fire(t, e, bash("ls"))), "go gone one")
	if err := e.Reload(context.Background()); err != nil {
		t.Fatal(err)
	}
	unregister()
	r := fire(t, e, bash("ls"))
	equal(t, "after", runs(r), "go two three")
	equal(t, "generation", r.Summary().Generation, generation+2) // the reload's and the unregistering's
	equal(t, "generation", e.Generation(), generation+2)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	write(t, root, "-- .hooks/a.lua --\n"+script("four"))
	if err := e.Reload(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled reload: %v", err)
	}
	equal(t, "after a cancelled reload", runs(fire(t, e, bash("ls"))), "go two three")
}

// A broken file leaves the last good generation in force.
func TestReloadOfBrokenFiles(t *testing.T) {
	e, root := project(t, "-- .hooks/a.lua --\n"+script("good"))
	equal(t, "problems", problems(e), "")
	generation := e.Generation()
	write(t, root, "-- .hooks/a.lua --\nx x\n-- .hooks/b.lua --\ny y\n-- .hooks/c.lua --\n"+script("new"))
	err := e.Reload(context.Background())
	var fault *hooks.Error
	if !errors.As(err, &fault) || fault.Kind != hooks.KindLoad {
		t.Fatalf("error: %v", err)
	}
	contains(t, err.Error(), "hooks were not reloaded, the last good ones stay in force", ".hooks/a.lua:1", "x x", ".hooks/b.lua:1")
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r)+string(r.Decision), "good")
	equal(t, "generation", e.Generation(), generation)
	for name, told := range map[string]string{"problems": problems(e), "warnings": strings.Join(r.Warnings, "\n"), "warnings of an event of no hook": strings.Join(fire(t, e, &hooks.Context{Event: hooks.Notification}).Warnings, "\n")} {
		if lines := strings.Count(told, "syntax error"); lines != 2 {
			t.Errorf("%s:\n%s", name, told)
		}
		contains(t, told, ".hooks/a.lua:1", ".hooks/b.lua:1")
	}
	contains(t, r.Warnings[0], "not reloaded, the last good hooks stay in force: .hooks/")
	unregister := register(t, e, hooks.PreToolCall, hooks.Options{Name: "go"}, nothing) // which makes a plan
	equal(t, "warnings of the next plan", len(fire(t, e, bash("ls")).Warnings), 2)
	unregister()

	write(t, root, "-- .hooks/a.lua --\n"+script("fixed")+"-- .hooks/b.lua --\n---@meta\n")
	if err := e.Reload(context.Background()); err != nil {
		t.Fatal(err)
	}
	r = fire(t, e, bash("ls"))
	equal(t, "fixed", runs(r)+problems(e)+strings.Join(r.Warnings, "\n"), "fixed new")
}

// Where only what was broken before is broken, the latest is in force and blocks.
func TestReloadOfWhatWasBrokenFromTheStart(t *testing.T) {
	e, root := project(t, "-- .hooks/a.lua --\nx x\n-- .hooks/b.lua --\nx x\n")
	write(t, root, "-- .hooks/a.lua --\n"+script("a")+"-- .hooks/b.lua --\ny y\n")
	err := e.Reload(context.Background())
	if err == nil || strings.Contains(err.Error(), "stay in force") {
		t.Fatalf("error: %v", err)
	}
	contains(t, err.Error(), ".hooks/b.lua:1")
	contains(t, problems(e), ".hooks/b.lua:1")
	r := fire(t, e, bash("ls"))
	equal(t, "still broken", runs(r)+" "+string(r.Decision), "a load deny")
	write(t, root, "-- .hooks/b.lua --\n"+script("b"))
	if err := e.Reload(context.Background()); err != nil {
		t.Fatal(err)
	}
	r = fire(t, e, bash("ls"))
	equal(t, "fixed", problems(e)+runs(r)+string(r.Decision), "a b")
}

// A run that has begun ends with the hooks that it began with.
func TestOldGenerationFinishes(t *testing.T) {
	at := &gate{entered: make(chan string), leave: make(chan bool)}
	user := tree(t, "-- hooks/z.lua --\n"+script("old"))
	e := newEngine(t, engine.WithUserDir(user), engine.WithHostObject("gate", at, "Pass"),
		patient, engine.WithScript("a.lua", `on("pre_tool_call", {name="waits"}, function() gate.Pass("a") end)`))
	got := make(chan *hooks.Result)
	go func() { r, _ := e.Fire(context.Background(), bash("ls")); got <- r }()
	<-at.entered
	write(t, user, "-- hooks/z.lua --\n"+script("new"))
	if err := e.Reload(context.Background()); err != nil {
		t.Fatal(err)
	}
	at.leave <- true
	r := <-got
	equal(t, "the run that had begun", runs(r), "waits old")
	equal(t, "its generation", r.Summary().Generation, e.Generation()-1)
	go func() { <-at.entered; at.leave <- true }()
	equal(t, "the next", runs(fire(t, e, bash("ls"))), "waits new")
}

// gate is a host object that scripts wait at.
type gate struct {
	entered chan string
	leave   chan bool
	inside  atomic.Int64
	most    atomic.Int64
}

func (g *gate) Pass(who string) {
	n := g.inside.Add(1)
	for m := g.most.Load(); n > m && !g.most.CompareAndSwap(m, n); m = g.most.Load() {
	}
	g.entered <- who
	<-g.leave
	g.inside.Add(-1)
}

// 64 goroutines fire while the files change and are reloaded: each result is that of
// exactly one generation, and one that was written as a whole.
func TestReloadWhileFiring(t *testing.T) {
	version := func(n int) string {
		return fmt.Sprintf(`
-- new/a.lua --
on("pre_tool_call", {name="a"}, function() return {data={a=%[1]d}} end)
-- new/b.lua --
on("pre_tool_call", {name="b"}, function() return {data={b=%[1]d}} end)
-- new/c.lua --
on("pre_tool_call", {name="c"}, function() return {data={c=%[1]d}} end)
`, n)
	}
	root := t.TempDir()
	publish := func(n int) { // a whole folder at once, as git does
		if err := os.RemoveAll(filepath.Join(root, "new")); err != nil {
			t.Fatal(err)
		}
		write(t, root, version(n))
		if err := os.RemoveAll(filepath.Join(root, ".hooks")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(root, "new"), filepath.Join(root, ".hooks")); err != nil {
			t.Fatal(err)
		}
	}
	publish(0)
	e := newEngine(t, engine.WithProject(engine.Project{Root: root}), engine.WithMaxStates(16), engine.WithLimits(engine.Limits{Timeout: time.Minute}))
	equal(t, "problems", problems(e), "") // all of generation 1 is read before another version is there
	var versions sync.Map                 // generation -> version
	stop := make(chan bool)
	var firing sync.WaitGroup
	for range 64 {
		firing.Go(func() {
			for last := uint64(0); ; {
				select {
				case <-stop:
					return
				default:
				}
				r, err := e.Fire(context.Background(), bash("ls"))
				if err != nil {
					t.Error(err)
					return
				}
				g, v := r.Summary().Generation, asJSON(t, r.Data["a"])
				if first, _ := versions.LoadOrStore(g, v); first != v || runs(r) != "a b c" || asJSON(t, r.Data) != strings.ReplaceAll(`{"a":N,"b":N,"c":N}`, "N", v) {
					t.Errorf("generation %d: %s and %v", g, asJSON(t, r.Data), first)
					return
				}
				if g < last {
					t.Errorf("generation %d after %d", g, last)
				}
				last = g
			}
		})
	}
	for n := range 40 {
		publish(n)
		if err := e.Reload(context.Background()); err != nil {
			t.Error(err)
		}
		if n%8 == 0 {
			register(t, e, hooks.Stop, hooks.Options{}, nothing)()
		}
	}
	close(stop)
	firing.Wait()
	equal(t, "the last one is in force", asJSON(t, fire(t, e, bash("ls")).Data), `{"a":39,"b":39,"c":39}`)
}

// A reload that has read the files before they changed doesn't undo one that came
// later.
func TestSlowReloadDoesNotWin(t *testing.T) {
	slow := &stall{inside: make(chan bool), leave: make(chan bool)}
	e, root := project(t, "-- .hooks/a.lua --\n"+script("old"), engine.WithHostObject("stall", slow, "Pass"),
		patient, engine.WithScript("embedder", "stall.Pass()"))
	slow.armed.Store(true)
	var all sync.WaitGroup
	reload := func() {
		if err := e.Reload(context.Background()); err != nil {
			t.Error(err)
		}
	}
	all.Go(reload)
	<-slow.inside // it has read the files and loads the first script
	write(t, root, "-- .hooks/a.lua --\n"+script("new"))
	later := make(chan bool)
	all.Go(func() { reload(); close(later) })
	select {
	case <-later:
		t.Error("the later reload didn't wait for the earlier one")
	case <-time.After(50 * time.Millisecond): // only a broken engine would use it
	}
	slow.leave <- true
	all.Wait()
	equal(t, "in force", runs(fire(t, e, bash("ls"))), "new")
}

// stall is a host object at which one script waits.
type stall struct {
	armed         atomic.Bool
	inside, leave chan bool
}

func (s *stall) Pass() {
	if s.armed.CompareAndSwap(true, false) {
		s.inside <- true
		<-s.leave
	}
}

// Reloads at once all do what they say.
func TestReloadsAtOnce(t *testing.T) {
	e, root := project(t, "-- .hooks/a.lua --\n"+script("old"))
	write(t, root, "-- .hooks/a.lua --\n"+script("new"))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := e.Reload(context.Background()); err != nil {
				t.Error(err)
			}
			equal(t, "after a reload", runs(fire(t, e, bash("ls"))), "new")
		})
	}
	all.Wait()
}
