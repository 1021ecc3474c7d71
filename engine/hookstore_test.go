package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
)

// counting answers with what it counts, in each of its stores.
const counting = `on("notification", function()
  return { data = { project = store.incr("n"), session = store.session.incr("n"), user = store.user.incr("n") } }
end)`

// counts fires a notification and gives the data as JSON.
func counts(t *testing.T, e *engine.Engine, session string) string {
	t.Helper()
	r := fire(t, e, &hooks.Context{Event: hooks.Notification, SessionID: session, Fields: map[string]any{"message": "x"}})
	for _, run := range r.Summary().Runs {
		if run.Error != nil {
			t.Fatal(run.Error.Message)
		}
	}
	return asJSON(t, r.Data)
}

// What a script keeps lasts beyond its engine, for itself, by project, session and user.
func TestWhoseKeysAre(t *testing.T) {
	s := store.NewMemory(1000)
	user := tree(t, "-- hooks/count.lua --\n"+counting)
	a, b := t.TempDir(), t.TempDir()
	start := func(root string, options ...engine.Option) *engine.Engine {
		return newEngine(t, append(options, engine.WithStore(s), engine.WithProject(engine.Project{Root: root}))...)
	}
	users := engine.WithUserDir(user)
	equal(t, "first", counts(t, start(a, users), "s"), `{"project":1,"session":1,"user":1}`)
	equal(t, "another engine", counts(t, start(a, users), "s"), `{"project":2,"session":2,"user":2}`)
	equal(t, "another session", counts(t, start(a, users), "s2"), `{"project":3,"session":1,"user":3}`)
	equal(t, "another project", counts(t, start(b, users), "s"), `{"project":1,"session":1,"user":4}`)
	equal(t, "another script", counts(t, start(a, engine.WithScript("count.lua", counting)), "s"), `{"project":1,"session":1,"user":1}`)
	equal(t, "another of its name", counts(t, start(a, engine.WithScript("other.lua", counting)), "s"), `{"project":1,"session":1,"user":1}`)
	moved := tree(t, "-- hooks/count.lua --\n"+counting)
	equal(t, "the same script at another place", counts(t, start(a, engine.WithUserDir(moved)), "s"), `{"project":1,"session":1,"user":1}`)
}

// A script of a project has its user's store for that project alone.
func TestProjectsAreApart(t *testing.T) {
	s := store.NewMemory(1000)
	files := "-- .hooks/count.lua --\n" + counting
	for _, root := range []string{tree(t, files), tree(t, files)} {
		e := newEngine(t, engine.WithStore(s), engine.WithProject(engine.Project{Root: root}))
		equal(t, "count", counts(t, e, "s"), `{"project":1,"session":1,"user":1}`)
	}
	parent := tree(t, strings.Replace(files, ".hooks", "part/.hooks", 1))
	for _, root := range []string{parent, filepath.Join(parent, "part")} {
		e := newEngine(t, engine.WithStore(s), engine.WithProject(engine.Project{Root: root, Hooks: filepath.Join(parent, "part", ".hooks")}))
		equal(t, "the same script of two projects", counts(t, e, "s"), `{"project":1,"session":1,"user":1}`)
	}
}

// Without a session the project stands in for it, and whoever reads the answer is told.
func TestStoreWithoutASession(t *testing.T) {
	e := lua(t, `on("notification", function() store.session.set("a", 1) store.session.set("b", 1) return { data = { a = store.session.get("a"), project = store.get("a") or "none" } } end)`)
	r := fire(t, e, &hooks.Context{Event: hooks.Notification, Fields: map[string]any{"message": "x"}})
	equal(t, "data", asJSON(t, r.Data), `{"a":1,"project":"none"}`)
	equal(t, "warnings", strings.Join(r.Warnings, "; "), "hook a (a.lua:1): the host gives no session_id, so store.session is that of the project")
}

// Scripts that are trusted share stores by name, others have none of them.
func TestSharedStores(t *testing.T) {
	const sharing = `on("notification", function() local ok, n = pcall(function() return store.shared("x").incr("n") end) return { data = { n = n } } end)`
	s := store.NewMemory(1000)
	root := tree(t, "-- .hooks/share.lua --\n"+sharing)
	both := []engine.Option{engine.WithStore(s), engine.WithScript("a.lua", sharing), engine.WithProject(engine.Project{Root: root})}
	equal(t, "untrusted", strings.Contains(counts(t, newEngine(t, both...), "s"), `{"n":1}`), true)
	e := newEngine(t, engine.WithStore(s), engine.WithProject(engine.Project{Root: root}))
	contains(t, counts(t, e, "s"), "store.shared is for scripts that are trusted, and this one isn't")
	equal(t, "trusted", counts(t, newEngine(t, append(both[:1:1], trusted(t, root), both[2])...), "s"), `{"n":2}`)
}

// A project that nobody has trusted may keep less.
func TestStoreQuota(t *testing.T) {
	const filling = `on("notification", {timeout = "1m"}, function() for i = 1, 1001 do store.set("k" .. i, i) end end)`
	root := tree(t, "-- .hooks/fill.lua --\n"+filling)
	s := store.NewMemory(100_000)
	e := newEngine(t, patient, engine.WithStore(s), engine.WithProject(engine.Project{Root: root}))
	notify := &hooks.Context{Event: hooks.Notification, Fields: map[string]any{"message": "x"}}
	contains(t, fire(t, e, notify).Summary().Runs[0].Error.Message, "store.set: the store may hold 1000 keys here")
	e = newEngine(t, patient, engine.WithStore(s), trusted(t, root), engine.WithProject(engine.Project{Root: root}))
	if run := fire(t, e, notify).Summary().Runs[0]; run.Error != nil {
		t.Error(run.Error.Message)
	}
}

// There is nothing to remember while a script loads.
func TestStoreWhileLoading(t *testing.T) {
	e := lua(t, `store.incr("loads")`)
	contains(t, errors.Join(e.LoadErrors()...).Error(), "store.incr: the script is loading, which it does again and again; use the store within a hook")
}

// A store that can't be used is the hook's failure, about which its policy decides.
func TestStoreFailureIsAPolicy(t *testing.T) {
	for policy, want := range map[string]hooks.Decision{"block": hooks.Deny, "warn": hooks.NoOpinion} {
		e := lua(t, `on("pre_tool_call", {on_failure = "`+policy+`"}, function() store.get("x") end)`, engine.WithStore(brokenStore{}))
		r := fire(t, e, bash("ls"))
		equal(t, policy, r.Decision, want)
		contains(t, r.Summary().Runs[0].Error.Message, "store.get: the disk is gone")
	}
}

// What the engine keeps for itself is in no space of a script's.
func TestEnginesOwnKeysAreOutOfReach(t *testing.T) {
	s := &spies{Memory: store.NewMemory(100)}
	e := lua(t, `
on("stop", function() return deny("more") end)
on("notification", function() store.set("a", 1) store.session.set("a", 1) store.user.set("a", 1) store.shared("engine").set("a", 1) end)`, engine.WithStore(s))
	fire(t, e, &hooks.Context{Event: hooks.Stop, SessionID: "s"})
	fire(t, e, &hooks.Context{Event: hooks.Notification, SessionID: "s", Fields: map[string]any{"message": "x"}})
	engines, scripts := 0, 0
	for space := range s.seen {
		if strings.HasPrefix(space, "engine\x00") {
			engines++
		} else if strings.HasPrefix(space, "hook\x00") {
			scripts++
		}
	}
	if engines != 1 || scripts != 4 || len(s.seen) != 5 {
		t.Errorf("spaces: %v", s.seen)
	}
}

// spies is a store that notes the spaces that are written to.
type spies struct {
	*store.Memory
	seen map[string]bool
}

func (s *spies) note(space store.Space) {
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[space.Name] = true
}

func (s *spies) Set(ctx context.Context, space store.Space, key string, value []byte, ttl time.Duration) error {
	s.note(space)
	return s.Memory.Set(ctx, space, key, value, ttl)
}

func (s *spies) Update(ctx context.Context, space store.Space, key string, ttl time.Duration, change func([]byte) ([]byte, error)) error {
	s.note(space)
	return s.Memory.Update(ctx, space, key, ttl, change)
}

// A session's count is one step of the store, whose driver knows how to be quick about it,
// and is kept for as long as the session may rest.
func TestSessionCountsInOneStep(t *testing.T) {
	s := &incrs{Memory: store.NewMemory(100)}
	e := lua(t, counting, engine.WithStore(s))
	counts(t, e, "s")
	want := []time.Duration{0, 7 * 24 * time.Hour, 0} // of new keys of the project, the session and the user
	if !slices.Equal(s.ttls, want) || s.updates != 0 {
		t.Errorf("increments with the times to live %v, want %v, and %d updates", s.ttls, want, s.updates)
	}
}

// incrs is a store that notes how it counts.
type incrs struct {
	*store.Memory
	ttls    []time.Duration
	updates int
}

func (s *incrs) Incr(ctx context.Context, space store.Space, key string, by float64, ttl time.Duration) (float64, error) {
	if ttl != store.Keep {
		space.TTL = -1
	}
	s.ttls = append(s.ttls, space.TTL)
	return s.Memory.Incr(ctx, space, key, by, ttl)
}

func (s *incrs) Update(ctx context.Context, space store.Space, key string, ttl time.Duration, change func([]byte) ([]byte, error)) error {
	s.updates++
	return s.Memory.Update(ctx, space, key, ttl, change)
}

// The user's hooks.yaml, and before it the managed one, says where things are kept.
func TestConfiguredStore(t *testing.T) {
	stores := map[string]*store.Memory{}
	var opened []string
	open := engine.WithStores(func(name string) (store.Store, error) {
		opened = append(opened, name)
		if name == "file" {
			return nil, errors.New("no file today")
		}
		if stores[name] == nil {
			stores[name] = store.NewMemory(100)
		}
		return stores[name], nil
	})
	script := engine.WithScript("count.lua", counting)
	user := func(name string) engine.Option {
		return engine.WithUserDir(tree(t, "-- hooks.yaml --\nhooks: {store: '"+name+"'}\n"))
	}
	count := func(options ...engine.Option) string {
		t.Helper()
		return counts(t, newEngine(t, append(options, script)...), "s")
	}
	equal(t, "first", count(open, user("redis://a")), `{"project":1,"session":1,"user":1}`)
	equal(t, "again", count(open, user("redis://a")), `{"project":2,"session":2,"user":2}`)
	equal(t, "another", count(open, user("redis://b")), `{"project":1,"session":1,"user":1}`)
	equal(t, "in memory, whatever the embedder has", count(open, user("memory"), engine.WithStore(stores["redis://a"])), `{"project":1,"session":1,"user":1}`)
	managed := engine.WithManaged(filepath.Join(tree(t, "-- hooks.yaml --\nhooks: {store: 'redis://b'}\n"), "hooks.yaml"))
	equal(t, "the managed one comes first", count(open, user("redis://a"), managed), `{"project":2,"session":2,"user":2}`)
	equal(t, "opened", strings.Join(opened, " "), "redis://a redis://a redis://b redis://b")
	for _, c := range []struct {
		options []engine.Option
		want    string
	}{
		{[]engine.Option{open, user("file")}, "store.incr: no file today"},
		{[]engine.Option{user("redis://a")}, "hooks.yaml names a store, and this program hasn't said how to open one"},
	} {
		e := newEngine(t, append(c.options, script)...)
		r := fire(t, e, &hooks.Context{Event: hooks.Notification, Fields: map[string]any{"message": "x"}})
		contains(t, r.Summary().Runs[0].Error.Message, c.want)
	}
}

// A project has no say in where things are kept.
func TestStoreIsNotTheProjects(t *testing.T) {
	e, _ := project(t, "-- .hooks/hooks.yaml --\nhooks: {store: 'redis://:word@evil.example.com'}\n")
	problem := errors.Join(e.LoadErrors()...).Error()
	contains(t, problem, "hooks.yaml:1:", "store: only the user's own and the managed hooks.yaml may say this")
	if strings.Contains(problem, "word") {
		t.Errorf("it shows a password: %s", problem)
	}
}
