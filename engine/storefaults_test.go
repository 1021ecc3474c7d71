package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
	"github.com/luahook/luahook/hooks"
)

func note(session string) *hooks.Context {
	return &hooks.Context{Event: hooks.Notification, SessionID: session, Fields: map[string]any{"message": "x"}}
}

// fill is a project with so many scripts that do this.
func fill(t *testing.T, scripts int, body string) (root string) {
	t.Helper()
	var files strings.Builder
	for i := range scripts {
		fmt.Fprintf(&files, "-- .hooks/%d.lua --\non('notification', {timeout = '1m'}, function(ev) %s end)\n", i, body)
	}
	return tree(t, files.String())
}

// kept sums up what is in a store, beside what the engine keeps for itself.
type kept struct {
	*store.Memory
	keys  map[string]int
	spans []time.Duration // for how long keys were set
}

func newKept() *kept { return &kept{store.NewMemory(0), map[string]int{}, nil} }

func (k *kept) Set(ctx context.Context, s store.Space, key string, value []byte, ttl time.Duration) error {
	err := k.Memory.Set(ctx, s, key, value, ttl)
	if err == nil {
		k.keys[s.Name+"\x00"+key] = len(key) + len(value)
	}
	k.span(s, ttl)
	return err
}

func (k *kept) Incr(ctx context.Context, s store.Space, key string, by float64, ttl time.Duration) (float64, error) {
	k.span(s, ttl)
	return k.Memory.Incr(ctx, s, key, by, ttl)
}

func (k *kept) Update(ctx context.Context, s store.Space, key string, ttl time.Duration, change func([]byte) ([]byte, error)) error {
	k.span(s, ttl)
	return k.Memory.Update(ctx, s, key, ttl, change)
}

func (k *kept) span(s store.Space, ttl time.Duration) {
	if ttl == store.Keep {
		ttl = s.TTL
	}
	if strings.HasPrefix(s.Name, "hook\x00") {
		k.spans = append(k.spans, ttl)
	}
}

func (k *kept) bytes() (sum int) {
	for _, n := range k.keys {
		sum += n
	}
	return sum
}

// All scripts of a project together have one quota, over all their stores.
func TestProjectQuota(t *testing.T) {
	const large = `for i = 1, 8 do local at = ({store, store.session, store.user})[i % 3 + 1] at.set("k" .. i, ("x"):rep(250000)) end`
	const many = `for i = 1, 150 do local at = ({store, store.session, store.user})[i % 3 + 1] at.set("k" .. i, 1) end`
	for _, c := range []struct {
		name          string
		scripts       int
		body          string
		trusted       bool
		bytes, keys   int
		atLeast, what string
	}{
		{"bytes of an untrusted one", 4, large, false, 4 << 20, 1000, "", "4194304 bytes"},
		{"keys of an untrusted one", 9, many, false, 4 << 20, 1000, "", "1000 keys"},
		{"bytes of a trusted one", 36, large, true, 64 << 20, 50_000, "", "67108864 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, root := newKept(), fill(t, c.scripts, c.body)
			options := []engine.Option{patient, engine.WithStore(s), engine.WithProject(engine.Project{Root: root})}
			if c.trusted {
				options = append(options, trusted(t, root))
			}
			e := newEngine(t, options...)
			r := fire(t, e, note("s"))
			refused := 0
			for _, run := range r.Summary().Runs {
				if run.Error != nil {
					refused++
					contains(t, run.Error.Message, "the store may hold "+c.what+" for all scripts of this project together")
				}
			}
			if n := s.bytes(); n > c.bytes || len(s.keys) > c.keys || refused == 0 {
				t.Errorf("the project keeps %d keys with %d bytes; %d scripts were refused", len(s.keys), n, refused)
			} else if n < c.bytes-300_000 && len(s.keys) < c.keys {
				t.Errorf("the project may keep no more than %d keys with %d bytes", len(s.keys), n)
			}
			fire(t, e, note("another session"))
			if n := s.bytes(); n > c.bytes || len(s.keys) > c.keys {
				t.Errorf("with another session the project keeps %d keys with %d bytes", len(s.keys), n)
			}
			// Which is nothing to the user's own scripts.
			e = newEngine(t, engine.WithStore(s), engine.WithProject(engine.Project{Root: root, Hooks: filepath.Join(root, "none")}), engine.WithScript("count.lua", counting))
			equal(t, "the user's script", counts(t, e, "s"), `{"project":1,"session":1,"user":1}`)
		})
	}
}

// What projects that nobody has trusted keep together has a bound, however many there are.
func TestStrangersQuota(t *testing.T) {
	s, refused := newKept(), ""
	for range 22 {
		root := fill(t, 1, `for i = 1, 1000 do store.set("k" .. i, 1) end`)
		e := newEngine(t, patient, engine.WithStore(s), engine.WithProject(engine.Project{Root: root}))
		if run := fire(t, e, note("s")).Summary().Runs[0]; run.Error != nil {
			refused = run.Error.Message
		}
	}
	equal(t, "keys", len(s.keys), 20_000)
	contains(t, refused, "20000 keys for all projects together that aren't trusted")
}

// Shared stores are the project's, under how many names ever.
func TestSharedStoresCountForTheProject(t *testing.T) {
	s := newKept()
	root := fill(t, 1, `local x = ("x"):rep(250000) for i = 1, 40 do store.shared(ev.session_id .. i).set("k", x) end`)
	e := newEngine(t, patient, engine.WithStore(s), trusted(t, root), engine.WithProject(engine.Project{Root: root}))
	refused := ""
	for i := range 8 {
		if run := fire(t, e, note(fmt.Sprint("n", i, " "))).Summary().Runs[0]; run.Error != nil {
			refused = run.Error.Message
		}
	}
	contains(t, refused, "for all scripts of this project together")
	if n := s.bytes(); n > 64<<20 {
		t.Errorf("it keeps %d bytes", n)
	}
}

// What a project that isn't trusted keeps goes after a week.
func TestStrangersKeysExpire(t *testing.T) {
	const week = 7 * 24 * time.Hour
	root := fill(t, 1, `
for _, at in ipairs({store, store.session, store.user}) do
  at.set("a", 1) at.set("b", 1, {ttl = "1h"}) at.set("c", 1, {ttl = 1e8}) at.incr("d")
  at.update("e", function() return 1 end) at.update("f", function() return 1 end, {ttl = 1e8})
end`)
	for _, trust := range []bool{false, true} {
		s := newKept()
		options := []engine.Option{patient, engine.WithStore(s), engine.WithProject(engine.Project{Root: root})}
		if trust {
			options = append(options, trusted(t, root))
		}
		if run := fire(t, newEngine(t, options...), note("s")).Summary().Runs[0]; run.Error != nil {
			t.Fatal(run.Error.Message)
		}
		equal(t, "calls", len(s.spans), 18)
		longer := 0
		for _, ttl := range s.spans {
			if ttl <= 0 || ttl > week {
				longer++
			}
		}
		if want := map[bool]int{false: 0, true: 12}[trust]; longer != want {
			t.Errorf("trusted %v: %d keys last longer than a week, want %d: %v", trust, longer, want, s.spans)
		}
	}
}

// Hooks of a project that isn't trusted make the engine keep no more for them.
func TestStrangersOnceIsBounded(t *testing.T) {
	s := &spaces{Memory: store.NewMemory(0)}
	root := tree(t, "-- .hooks/a.lua --\non('notification', {once = true}, function() end)\n")
	e := newEngine(t, engine.WithStore(s), engine.WithProject(engine.Project{Root: root}))
	fire(t, e, note("s"))
	if len(s.seen) == 0 {
		t.Fatal("nothing was noted")
	}
	for _, sp := range s.seen {
		if sp.MaxKeys != 1000 || len(sp.Within) != 1 || sp.Within[0].MaxKeys != 20_000 {
			t.Errorf("the engine keeps it in %+v", sp)
		}
	}
}

// spaces is a store that notes where something is written.
type spaces struct {
	*store.Memory
	seen []store.Space
}

func (s *spaces) Update(ctx context.Context, sp store.Space, key string, ttl time.Duration, change func([]byte) ([]byte, error)) error {
	s.seen = append(s.seen, sp)
	return s.Memory.Update(ctx, sp, key, ttl, change)
}

// careless is a store whose calls do something else, whichever is called.
type careless struct {
	do func(ctx context.Context) error
}

func (c careless) Get(ctx context.Context, _ store.Space, _ string) ([]byte, error) {
	return nil, c.do(ctx)
}

func (c careless) Set(ctx context.Context, _ store.Space, _ string, _ []byte, _ time.Duration) error {
	return c.do(ctx)
}

func (c careless) Incr(ctx context.Context, _ store.Space, _ string, _ float64, _ time.Duration) (float64, error) {
	return 0, c.do(ctx)
}

func (c careless) Update(ctx context.Context, _ store.Space, _ string, _ time.Duration, change func([]byte) ([]byte, error)) error {
	err := c.do(ctx)
	if err == nil {
		_, err = change(nil)
	}
	return err
}

func (c careless) Delete(ctx context.Context, _ store.Space, _ string) error { return c.do(ctx) }

func (c careless) List(ctx context.Context, _ store.Space, _ string) ([]string, error) {
	return nil, c.do(ctx)
}

func (c careless) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return c.do(ctx)
}

// A store that panics, ends its goroutine or hangs for ever is the failure of the hook that
// has called it, and a warning where the engine has. Fire returns.
func TestCarelessStore(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(ctx context.Context) error
		want string
	}{
		"panics":                {func(context.Context) error { panic("of the store") }, "of the store"},
		"ends its goroutine":    {func(context.Context) error { runtime.Goexit(); return nil }, "Goexit"},
		"hangs":                 {nil, ""},
		"waits for too long":    {func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, ""},
		"goes on when too late": {func(ctx context.Context) error { <-ctx.Done(); time.Sleep(time.Minute); return nil }, ""},
	} {
		for _, way := range []string{"WithStore", "WithStores"} {
			t.Run(name+", "+way, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					forever := make(chan struct{})
					do := c.do
					if do == nil {
						do = func(context.Context) error { <-forever; return nil }
					}
					var with engine.Option
					options := []engine.Option{engine.WithScript("a.lua", `
on("pre_tool_call", {name = "once", once = true, mode = "sync"}, function() end)
on("pre_tool_call", {name = "guard", on_failure = "block"}, function() store.get("x") end)
on("stop", {name = "more"}, function() return deny("more") end)`)}
					if with = engine.WithStore(careless{do}); way == "WithStores" {
						with = engine.WithStores(func(string) (store.Store, error) { return careless{do}, nil })
						options = append(options, engine.WithUserDir(tree(t, "-- hooks.yaml --\nhooks: {store: 'redis://x'}\n")))
					}
					e, err := engine.New(append(options, with, engine.WithoutBuiltins())...)
					if err != nil {
						t.Fatal(err)
					}
					began := time.Now()
					call := bash("ls")
					call.SessionID = "s"
					r := fire(t, e, call)
					equal(t, "decision", r.Decision, hooks.Deny)
					contains(t, r.Reason, "hook guard failed", c.want)
					contains(t, strings.Join(r.Warnings, "\n"), "the engine's state can't be used", c.want)
					r = fire(t, e, &hooks.Context{Event: hooks.Stop, SessionID: "s"})
					equal(t, "a block that can't be counted", r.Block, true)
					if took := time.Since(began); took > 40*time.Second {
						t.Errorf("it took %s", took)
					}
					ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
					defer cancel()
					err = e.Close(ctx)
					if way == "WithStores" || name != "panics" && name != "ends its goroutine" && name != "waits for too long" {
						if err == nil {
							t.Error("Close says nothing")
						}
					} else if err != nil {
						t.Error(err)
					}
					close(forever)
					if name == "panics" || name == "ends its goroutine" {
						return
					}
					for try := 0; e.Close(t.Context()) != nil; try++ { // a minute each
						if try == 5 {
							t.Fatal("it can't be closed")
						}
					}
				})
			})
		}
	}
}

// Whoever opens a store may be careless, too.
func TestCarelessOpening(t *testing.T) {
	for name, c := range map[string]struct {
		open engine.OpenStore
		want string
	}{
		"panics":             {func(string) (store.Store, error) { panic("of the opener") }, "of the opener"},
		"gives nothing":      {func(string) (store.Store, error) { return nil, nil }, "gave no store"},
		"ends its goroutine": {func(string) (store.Store, error) { runtime.Goexit(); return nil, nil }, "oroutine"},
		"hangs":              {nil, "had not come back"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				forever := make(chan struct{})
				open := c.open
				if open == nil {
					open = func(string) (store.Store, error) { <-forever; return store.NewMemory(0), nil }
				}
				e, err := engine.New(engine.WithoutBuiltins(), engine.WithStores(open), engine.WithUserDir(tree(t, "-- hooks.yaml --\nhooks: {store: 'redis://x'}\n")),
					engine.WithScript("a.lua", `on("pre_tool_call", {on_failure = "block"}, function() store.get("x") end)`))
				if err != nil {
					t.Fatal(err)
				}
				for i := range 2 {
					r := fire(t, e, bash("ls"))
					equal(t, "decision", r.Decision, hooks.Deny)
					if i == 0 || c.open != nil {
						contains(t, r.Reason, c.want)
					}
				}
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				if err := e.Close(ctx); name == "hangs" && err == nil {
					t.Error("Close says nothing")
				}
				close(forever)
				if err := e.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// lateStore makes changes when nobody waits for them any more.
type lateStore struct {
	store.Store
	made *atomic.Int64 // changes that nobody has refused
}

func (l lateStore) Update(_ context.Context, _ store.Space, _ string, _ time.Duration, change func([]byte) ([]byte, error)) error {
	time.Sleep(time.Minute)
	_, err := change(nil)
	if err == nil {
		l.made.Add(1)
	}
	return err
}

// What was to be changed in the engine's state isn't, once nobody waits for that any more.
func TestLateChangeOfTheState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := lateStore{store.NewMemory(0), new(atomic.Int64)}
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithStore(late), engine.WithScript("a.lua", `on("stop", function() return deny("more") end)`))
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			r := fire(t, e, &hooks.Context{Event: hooks.Stop, SessionID: "s"})
			equal(t, "block", r.Block, true)
		}
		for e.Close(t.Context()) != nil { // a minute each
		}
		equal(t, "late changes", late.made.Load(), int64(0))
	})
}

// busy is a store that others use most of the time.
type busyStore struct {
	store.Store
	waits time.Duration
}

func (b busyStore) Get(ctx context.Context, s store.Space, key string) ([]byte, error) {
	if err := store.Pause(ctx, b.waits); err != nil {
		return nil, err
	}
	return b.Store.Get(ctx, s, key)
}

// All hooks of an event together wait no longer for others who use the store than one may,
// and for a store that says nothing of what it waits for no longer than that.
func TestWaitsOfAnEventCountTogether(t *testing.T) {
	busy := busyStore{store.NewMemory(0), 9 * time.Second}
	slow := careless{func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
	hangs := careless{func(context.Context) error { time.Sleep(5 * time.Minute); return nil }}
	for _, c := range []struct {
		name, mode string
		store      store.Store
	}{{"others", "sync", busy}, {"others", "parallel", busy}, {"slow", "sync", slow}, {"slow", "parallel", slow}, {"hangs", "sync", hangs}} {
		t.Run(c.name+", "+c.mode, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				options := []engine.Option{engine.WithoutBuiltins(), engine.WithStore(c.store), engine.WithEventTimeout(time.Hour)}
				for i := range 20 {
					name := fmt.Sprint("h", i)
					options = append(options, engine.WithScript(name+".lua", "on('notification', {name = '"+name+"', mode = '"+c.mode+"'}, function() store.get('x') end)"))
				}
				e, err := engine.New(options...)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // the next event has its own
					began, done := time.Now(), 0
					r := fire(t, e, note("s"))
					for _, run := range r.Summary().Runs {
						if run.Error == nil {
							done++
						}
					}
					if took := time.Since(began); took > 35*time.Second || done == 0 && c.name == "others" {
						t.Errorf("it took %s, and %d hooks have had their turn", took, done)
					}
				}
				for e.Close(t.Context()) != nil { // a minute each
				}
			})
		})
	}
}

// A store that was damaged is a failure of each script that uses it, once, whoever has found
// that; and then a warning, until somebody has removed the file.
func TestDamagedStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	script := func(name string) engine.Option {
		return engine.WithScript(name+".lua", `
on("pre_tool_call", {name = "`+name+`", on_failure = "block"}, function()
  pcall(store.get, "n")
  if store.incr("n") > 2 then return ask("often") end
end)`)
	}
	start := func() *engine.Engine {
		return newEngine(t, engine.WithStore(file.New(path)), script("a"), script("b"),
			engine.WithScript("watcher.lua", `on("notification", function() store.set("x", 1) end) on("stop", function() end)`))
	}
	for range 3 {
		fire(t, start(), bash("ls"))
	}
	equal(t, "as it was", fire(t, start(), bash("ls")).Decision, hooks.Ask)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	r := fire(t, start(), note("s")) // who finds it has no say
	contains(t, r.Summary().Runs[0].Error.Message, "was set aside and a new one begun")
	for _, name := range []string{"a", "b"} { // one blocks after the other
		r = fire(t, start(), bash("ls"))
		equal(t, "decision", r.Decision, hooks.Deny)
		contains(t, r.Reason, "hook "+name+" failed", "so what hooks remembered is lost", path+".damaged-", "nothing goes on without it. The hook is in order: mend the store, and try again.")
	}
	r = fire(t, start(), bash("ls"))
	equal(t, "afterwards", r.Decision, hooks.NoOpinion)
	aside, err := filepath.Glob(path + ".damaged-*")
	if err != nil || len(aside) != 1 {
		t.Fatalf("set aside: %q, %v", aside, err)
	}
	told := 0
	for _, w := range r.Warnings {
		if strings.Contains(w, aside[0]) {
			told++
		}
	}
	equal(t, "warnings that name the file", told, 1)
	if err := os.Remove(aside[0]); err != nil {
		t.Fatal(err)
	}
	equal(t, "warnings once somebody has looked", len(fire(t, start(), bash("ls")).Warnings), 0)
}

// Whether errors of the store are of their kind, also after the engine has wrapped them.
func TestStoreErrorsAreTyped(t *testing.T) {
	e := lua(t, `on("pre_tool_call", {on_failure = "block"}, function() store.get("x") end)`, engine.WithStore(careless{func(context.Context) error {
		return &store.UnavailableError{Message: "gone", Err: errors.New("cause")}
	}}))
	contains(t, fire(t, e, bash("ls")).Summary().Runs[0].Error.Message, "store.get: gone: cause")
}
