package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/store"
)

// OpenStore makes the store that a hooks.yaml names: "file", or the URL of a Redis. It is
// called once for each name, and should open nothing before it is used.
type OpenStore func(name string) (store.Store, error)

// WithStore is where hooks keep what they remember, and the engine what must outlast an
// event: how often a hook has kept the agent from stopping, and which hooks that run once
// per session have run. The embedder closes it, after the engine. Default: in memory, for
// as long as the engine lives. Package [store] has the contract and names the drivers.
func WithStore(s store.Store) Option {
	return func(o *options) error {
		if s == nil {
			return errors.New("WithStore: the store is nil")
		}
		o.store = s
		return nil
	}
}

// WithStores lets the managed and the user's hooks.yaml say with the key store where
// things are kept, in the place of WithStore. The engine closes what open has made.
// Without it, or where open fails, hooks that use the store fail with an error that says
// so: they don't get another one.
func WithStores(open OpenStore) Option {
	return func(o *options) error {
		if open == nil {
			return errors.New("WithStores: there is no function (nil)")
		}
		o.openStore = open
		return nil
	}
}

// stateTTL is how long a session may rest without losing what is kept of it.
const stateTTL = 7 * 24 * time.Hour

// stateWait is how long the engine waits for what it keeps for itself. That is no reason
// to hold an event up.
const stateWait = 2 * time.Second

// stateWaitAgain is how long it does so for the rest of an event in which it has waited in
// vain: a project may have hundreds of hooks that ask.
const stateWaitAgain = 20 * time.Millisecond

const maxStoreKeys = 100_000

// stores are what an engine has opened.
type stores struct {
	mu     sync.Mutex
	opened map[string]store.Store // by the name in hooks.yaml

	memory *store.Memory // of hooks, where nothing else is said
	own    *store.Memory // of the engine, likewise: hooks can't push it out
}

func newStores() *stores {
	return &stores{opened: map[string]store.Store{}, memory: store.NewMemory(maxStoreKeys), own: store.NewMemory(maxStoreKeys)}
}

// store is where hooks keep things at this moment.
func (e *Engine) store() store.Store {
	if s := e.named(); s != nil {
		return s
	}
	return e.stores.memory
}

// state is where the engine does, with a context in which it waits no longer than it should.
func (f *firing) state(ctx context.Context) (store.Store, context.Context, context.CancelFunc) {
	f.lent = true
	s := f.engine.named()
	if s == nil { // nobody waits for the memory
		return f.engine.stores.own, ctx, func() {}
	}
	wait := stateWait
	if f.stateStuck.Load() {
		wait = stateWaitAgain
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	return s, ctx, cancel
}

// named is the store that the configuration or the options name; nil: none.
func (e *Engine) named() store.Store {
	p := e.plan.Load()
	switch p.store {
	case "":
		return e.options.store
	case config.StoreMemory:
		return nil
	}
	e.stores.mu.Lock()
	defer e.stores.mu.Unlock()
	s := e.stores.opened[p.store]
	if s == nil {
		s = e.openNamed(p.store)
		e.stores.opened[p.store] = s
	}
	return s
}

func (e *Engine) openNamed(name string) store.Store {
	if e.options.openStore == nil {
		return noStore{errors.New("hooks.yaml names a store, and this program hasn't said how to open one (engine.WithStores)")}
	}
	s, err := e.options.openStore(name)
	if err != nil {
		return noStore{err}
	}
	return s
}

// close closes what the engine has opened.
func (s *stores) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []error
	for name, opened := range s.opened {
		list = append(list, opened.Close())
		delete(s.opened, name)
	}
	return errors.Join(list...)
}

// update changes what the engine keeps under a key for sessions, whose failure is a
// warning: what the engine keeps for itself is no reason to block. What has no session is
// kept for as long as the engine lives.
func (f *firing) update(ctx context.Context, key string, change func(old []byte) []byte) bool {
	s, ctx, cancel := f.state(ctx)
	defer cancel()
	err := s.Update(ctx, f.engine.stateSpace(), key, stateTTL, func(old []byte) ([]byte, error) { return change(old), nil })
	return f.kept(err)
}

// read gives what the engine keeps under a key.
func (f *firing) read(ctx context.Context, key string) (value []byte, ok bool) {
	var err error
	s, ctx, cancel := f.state(ctx)
	defer cancel()
	value, err = s.Get(ctx, f.engine.stateSpace(), key)
	return value, f.kept(err)
}

const stateFailed = "the engine's state can't be used, so hooks may run once too often and loops may go on: "

// kept tells whether the state could be used, and warns where it couldn't.
func (f *firing) kept(err error) bool {
	if err == nil {
		return true
	}
	if errors.Is(err, context.DeadlineExceeded) {
		f.stateStuck.Store(true)
	}
	text := stateFailed + err.Error()
	if f.outcomes(); slices.Contains(f.result.Warnings, text) { // said already
		return false
	}
	f.warn("%s", text)
	f.engine.options.logger.Warn(text)
	return false
}

// stateSpace is where scripts have no way to.
func (e *Engine) stateSpace() store.Space {
	return store.Space{Name: "engine\x00" + e.options.root}
}

// noStore is the store that couldn't be opened.
type noStore struct{ err error }

func (n noStore) Get(context.Context, store.Space, string) ([]byte, error) { return nil, n.err }

func (n noStore) Set(context.Context, store.Space, string, []byte, time.Duration) error {
	return n.err
}

func (n noStore) Incr(context.Context, store.Space, string, float64, time.Duration) (float64, error) {
	return 0, n.err
}

func (n noStore) Update(context.Context, store.Space, string, time.Duration, func([]byte) ([]byte, error)) error {
	return n.err
}

func (n noStore) Delete(context.Context, store.Space, string) error { return n.err }

func (n noStore) List(context.Context, store.Space, string) ([]string, error) { return nil, n.err }

func (n noStore) Close() error { return nil }
