package override_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/engine/store"
)

// machines gives stores as several machines would have them, each with a folder of its own, that share one store.
func machines(t *testing.T, shared func(context.Context) (store.Store, error)) func() *override.Store {
	p := newProject(t)
	return func() *override.Store {
		s := override.NewStore(filepath.Join(t.TempDir(), "state"), p.root)
		s.Clock = func() time.Time { return p.now }
		s.Shared = shared
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
}

// What a person says on one machine counts on all, once.
func TestSharedByMachines(t *testing.T) {
	kept := store.NewMemory(100)
	machine := machines(t, func(context.Context) (store.Store, error) { return kept, nil })
	first, second, persons := machine(), machine(), machine()
	lift(t, first, call("git reset --hard", "1"))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	list := blocked(t, persons)
	if len(list) != 1 {
		t.Fatalf("%d calls are known elsewhere, want 1", len(list))
	}
	if _, err := persons.AllowOnce(list[0]); err != nil {
		t.Fatal(err)
	}
	if note := lift(t, second, call("git reset --hard", "2")); note != once {
		t.Errorf("on another machine: %q", note)
	}
	if note := lift(t, first, request(call("git reset --hard", "2"))); note != once {
		t.Errorf("the same call, on the first machine again: %q", note)
	}
	if note := lift(t, first, call("git reset --hard", "3")); note != "" {
		t.Errorf("the next call: %q", note)
	}
	if _, err := persons.TurnOff(time.Minute); err != nil {
		t.Fatal(err)
	}
	if note := lift(t, second, call("git clean", "4")); note == "" {
		t.Error("the guard isn't off on another machine")
	}
	for _, s := range []*override.Store{first, second, persons} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if keys, err := kept.List(t.Context(), store.Space{Name: "hook\x00project"}, ""); err != nil || len(keys) > 0 {
		t.Errorf("in a space of hooks: %v, %v", keys, err)
	}
}

// A shared store that can't be used, or holds something else, is nobody's word, and the files don't stand in for it.
func TestSharedAtFault(t *testing.T) {
	kept := store.NewMemory(100)
	failing := false
	shared := func(context.Context) (store.Store, error) {
		if failing {
			return nil, errors.New("no store there")
		}
		return kept, nil
	}
	machine := machines(t, shared)
	s := machine()
	if _, err := s.TurnOff(time.Hour); err != nil {
		t.Fatal(err)
	}
	failing = true
	if note, err := s.Overridden(t.Context(), call("git clean", "1")); note != "" || err == nil {
		t.Errorf("without the store: %q, %v", note, err)
	}
	failing = false
	p := newProject(t)
	if real, err := filepath.EvalSymlinks(p.root); err != nil || os.MkdirAll(real, 0o700) != nil {
		t.Fatal(err)
	}
	mine := override.NewStore(p.dir, p.root)
	mine.Shared = shared
	real, err := filepath.EvalSymlinks(p.root)
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.Set(t.Context(), store.Space{Name: "engine\x00passes\x00" + real}, "passes", []byte(`{"version":1,"root":"/else","words":[]}`), store.Forever); err != nil {
		t.Fatal(err)
	}
	note, err := mine.Overridden(t.Context(), call("git clean", "1"))
	if note != "" {
		t.Errorf("it let a call through: %q", note)
	}
	refused(t, "Overridden", err, "passes", "about another project")
}

// slowStore keeps whoever writes what was blocked waiting.
type slowStore struct {
	store.Store
	begun, release chan struct{}
}

func (s *slowStore) Update(ctx context.Context, space store.Space, key string, ttl time.Duration, edit func([]byte) ([]byte, error)) error {
	close(s.begun)
	<-s.release
	return s.Store.Update(ctx, space, key, ttl, edit)
}

// A call that is blocked doesn't wait until another one is written, and is kept all the same.
func TestNobodyWaitsForAnothersWrite(t *testing.T) {
	slow := &slowStore{store.NewMemory(100), make(chan struct{}), make(chan struct{})}
	s := machines(t, func(context.Context) (store.Store, error) { return slow, nil })()
	written := make(chan error)
	go func() {
		_, err := s.Overridden(context.Background(), call("git reset --hard", "1"))
		written <- err
	}()
	<-slow.begun
	lift(t, s, call("git clean -fd", "2")) // and not with the first one
	slow.begun = make(chan struct{})
	close(slow.release)
	if err := <-written; err != nil {
		t.Error(err)
	}
	if list := blocked(t, s); len(list) != 2 {
		t.Errorf("%d calls are kept, want 2", len(list))
	}
}
