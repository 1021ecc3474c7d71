package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
)

const oneHook = `
-- .hooks/a.lua --
on("pre_tool_call", function() return context("one") end)
`

// Two engines with the same policy call it the same, and whatever changes what is decided changes its name.
func TestPolicy(t *testing.T) {
	root := tree(t, oneHook)
	made := func(options ...engine.Option) *engine.Engine {
		e := newEngine(t, append(options, trusted(t, root), engine.WithProject(engine.Project{Root: root}))...)
		if errs := e.LoadErrors(); len(errs) > 0 { // which loads the project
			t.Fatal(errs)
		}
		return e
	}
	e, again := made(), made()
	first := e.Policy()
	if first != again.Policy() || len(first.Digest) != 16 {
		t.Errorf("%+v and %+v", first, again.Policy())
	}
	for name, o := range map[string]engine.Option{
		"a script":   engine.WithScript("b.lua", `on("stop", function() end)`),
		"a built-in": engine.WithBuiltin("secret-redactor", nil), "no trust": engine.WithTrust(filepath.Join(t.TempDir(), "none")),
		"a policy of failures": engine.WithOnFailure(hooks.Ignore),
	} {
		other := newEngine(t, trusted(t, root), engine.WithProject(engine.Project{Root: root}), o)
		other.LoadErrors()
		if other.Policy().Digest == first.Digest {
			t.Errorf("with %s it is called the same", name)
		}
	}
	before := fire(t, e, bash("ls"))
	if err := os.WriteFile(filepath.Join(root, ".hooks", "a.lua"), []byte(`on("pre_tool_call", function() return context("two") end)`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.Reload(context.Background()); err != nil {
		t.Fatal(err)
	}
	second := e.Policy()
	if second.Generation <= first.Generation || second.Digest == first.Digest {
		t.Errorf("after a reload: %+v, before %+v", second, first)
	}
	if got := e.PolicyOf(before); got != first {
		t.Errorf("an answer from before is by %+v, want %+v", got, first)
	}
	if got := e.PolicyOf(fire(t, e, &hooks.Context{Event: hooks.Stop})); got != second {
		t.Errorf("an answer of no hook is by %+v, want %+v", got, second)
	}
	if got := e.PolicyOf(fire(t, e, bash("ls"))); got != second {
		t.Errorf("an answer is by %+v, want %+v", got, second)
	}
	if err := again.Reload(context.Background()); err != nil || again.Policy().Digest != second.Digest {
		t.Errorf("the other engine, reloaded: %+v, %v; want %s", again.Policy(), err, second.Digest)
	}
	if err := os.WriteFile(filepath.Join(root, ".hooks", "a.lua"), []byte(`on(`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.Reload(context.Background()); err == nil || e.Policy() != second {
		t.Errorf("a reload that is refused: %+v, %v", e.Policy(), err)
	}
	if (&engine.Engine{}).Policy() != (engine.Policy{}) || e.PolicyOf(nil) != (engine.Policy{}) || e.PolicyOf(engine.Unjudged(hooks.Stop, os.ErrInvalid)) != (engine.Policy{}) {
		t.Error("what has no policy is called something")
	}
}

// sharedMemory is a store that an engine takes for one of several processes.
type sharedMemory struct{ *store.Memory }

// work is what a hook waits for.
type work struct {
	name  string
	began chan<- string
	goOn  <-chan bool
}

func (w *work) Do() bool {
	w.began <- w.name
	return <-w.goOn
}

// A hook in the background that runs once per session does so on one of several servers, also while it is at work.
func TestOnceInTheBackgroundOfOneServer(t *testing.T) {
	kept := sharedMemory{store.NewMemory(1000)}
	began, goOn := make(chan string, 8), make(chan bool, 1)
	server := func(name string) *engine.Engine {
		return lua(t, `on("pre_tool_call", {name="hello", once=true, mode="async"}, function() if not work.Do() then error("it fails") end end)`, patient,
			engine.WithStore(kept), engine.WithHostObject("work", &work{name, began, goOn}, "Do"))
	}
	first, second := server("first"), server("second")
	event := bash("ls")
	event.SessionID = "s"
	fire(t, first, event)
	equal(t, "the first event", <-began, "first")
	equal(t, "the second, elsewhere, while it runs", runs(fire(t, second, event)), "")
	goOn <- false
	if err := first.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "once it has failed", runs(fire(t, second, event)), "hello")
	equal(t, "it runs again", <-began, "second")
	goOn <- true
	if err := second.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "it has run", runs(fire(t, first, event)), "")
	select {
	case name := <-began:
		t.Errorf("it ran again on %s", name)
	default:
	}
}

// A session's next event may come to another server the moment an answer is out: what runs once doesn't run again there,
// unless the answer never got out.
func TestOnceWhileTheAnswerIsOnItsWay(t *testing.T) {
	kept := sharedMemory{store.NewMemory(1000)}
	folder := tree(t, "\n-- hooks.yaml --\nhooks:\n  store: redis://somewhere\n")
	server := func() *engine.Engine {
		return lua(t, `on("pre_tool_call", {name="hello", once=true}, function() return context("welcome") end)`,
			engine.WithUserDir(folder), engine.WithStores(func(string) (store.Store, error) { return kept, nil }))
	}
	first, second := server(), server()
	event := bash("ls")
	event.SessionID = "s"
	ctx, delivery := engine.Delivering(t.Context())
	if r, err := first.Fire(ctx, event); err != nil || runs(r) != "hello" {
		t.Fatal(runs(r), err)
	}
	equal(t, "elsewhere, before the first server has noted it", runs(fire(t, second, event)), "")
	delivery.Done()
	equal(t, "and afterwards", runs(fire(t, second, event)), "")
}
