package luatest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
)

// storage is what hooks keep in a test.
type storage struct {
	*store.Memory

	mu     sync.Mutex
	spaces []store.Space // of hooks, that were used
	seeds  []seed
	err    error // why it can't be reached; nil: it can
}

// seed is a value that a test has put into the stores of all hooks.
type seed struct {
	scope, name string // name is of a shared store
	key         string
	value       []byte // nil: there is none
}

func newStorage(now func() time.Time) *storage {
	return &storage{Memory: store.NewMemoryAt(0, now)}
}

// isOf reports whether a space is of a scope. The engine begins the names of those of hooks with
// "hook" and the scope, and ends that of a shared store with its name.
func isOf(s store.Space, scope, name string) bool {
	parts := strings.Split(s.Name, "\x00")
	return len(parts) > 2 && parts[0] == "hook" && parts[1] == scope && (scope != "shared" || parts[len(parts)-1] == name)
}

// enter looks at a space before it is used: the first time it gets what the test has put there.
func (s *storage) enter(ctx context.Context, space store.Space) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if slices.ContainsFunc(s.spaces, func(known store.Space) bool { return known.Name == space.Name }) {
		return nil
	}
	s.spaces = append(s.spaces, space)
	for _, seed := range s.seeds {
		if isOf(space, seed.scope, seed.name) {
			if err := s.put(ctx, space, seed); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *storage) put(ctx context.Context, space store.Space, seed seed) error {
	if seed.value == nil {
		return s.Memory.Delete(ctx, space, seed.key)
	}
	return s.Memory.Set(ctx, space, seed.key, seed.value, store.Forever)
}

// plant puts a value into the stores of a scope of all hooks, now and later.
func (s *storage) plant(ctx context.Context, one seed) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seeds = append(s.seeds, one)
	for _, space := range s.spaces {
		if isOf(space, one.scope, one.name) {
			if err := s.put(ctx, space, one); err != nil {
				return err
			}
		}
	}
	return nil
}

// find is what a hook keeps under a key in a scope, nil where none does.
func (s *storage) find(ctx context.Context, scope, name, key string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, space := range s.spaces {
		if isOf(space, scope, name) {
			if value, err := s.Memory.Get(ctx, space, key); value != nil || err != nil {
				return value, err
			}
		}
	}
	return nil, nil
}

func (s *storage) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// workerStore is the store of the test that runs.
type workerStore struct{ worker *worker }

func (w *workerStore) in(ctx context.Context, space store.Space) (*store.Memory, error) {
	s := w.worker.session.Load()
	if s == nil {
		return nil, errors.New(string(outsideTest))
	}
	return s.stored.Memory, s.stored.enter(ctx, space)
}

func (w *workerStore) Get(ctx context.Context, s store.Space, key string) ([]byte, error) {
	m, err := w.in(ctx, s)
	if err != nil {
		return nil, err
	}
	return m.Get(ctx, s, key)
}

func (w *workerStore) Set(ctx context.Context, s store.Space, key string, value []byte, ttl time.Duration) error {
	m, err := w.in(ctx, s)
	if err != nil {
		return err
	}
	return m.Set(ctx, s, key, value, ttl)
}

func (w *workerStore) Incr(ctx context.Context, s store.Space, key string, by float64, ttl time.Duration) (float64, error) {
	m, err := w.in(ctx, s)
	if err != nil {
		return 0, err
	}
	return m.Incr(ctx, s, key, by, ttl)
}

func (w *workerStore) Update(ctx context.Context, s store.Space, key string, ttl time.Duration, change func([]byte) ([]byte, error)) error {
	m, err := w.in(ctx, s)
	if err != nil {
		return err
	}
	return m.Update(ctx, s, key, ttl, change)
}

func (w *workerStore) Delete(ctx context.Context, s store.Space, key string) error {
	m, err := w.in(ctx, s)
	if err != nil {
		return err
	}
	return m.Delete(ctx, s, key)
}

func (w *workerStore) List(ctx context.Context, s store.Space, prefix string) ([]string, error) {
	m, err := w.in(ctx, s)
	if err != nil {
		return nil, err
	}
	return m.List(ctx, s, prefix)
}

func (w *workerStore) Close() error { return nil }

// workerTasks is the tracker of the test that runs.
type workerTasks struct{ worker *worker }

func (w *workerTasks) session() (*session, error) {
	s := w.worker.session.Load()
	if s == nil {
		return nil, errors.New(string(outsideTest))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s, s.tasksErr
}

func (w *workerTasks) Create(ctx context.Context, t hooks.Task) (hooks.Task, bool, error) {
	s, err := w.session()
	if err != nil {
		return hooks.Task{}, false, err
	}
	return s.tracked.Create(ctx, t)
}

func (w *workerTasks) List(ctx context.Context, q hooks.TaskQuery) ([]hooks.Task, error) {
	s, err := w.session()
	if err != nil {
		return nil, err
	}
	return s.tracked.List(ctx, q)
}

func (w *workerTasks) Link(ctx context.Context, id, other, kind string) error {
	s, err := w.session()
	if err != nil {
		return err
	}
	return s.tracked.Link(ctx, id, other, kind)
}

func (w *workerTasks) Comment(ctx context.Context, id, text string) error {
	s, err := w.session()
	if err != nil {
		return err
	}
	return s.tracked.Comment(ctx, id, text)
}

func (w *workerTasks) Update(ctx context.Context, id string, change hooks.TaskChange) error {
	s, err := w.session()
	if err != nil {
		return err
	}
	return s.tracked.Update(ctx, id, change)
}
