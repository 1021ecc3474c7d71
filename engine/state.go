package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/luabind"
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
	opened map[string]*opened // by the name in hooks.yaml

	memory *store.Memory // of hooks, where nothing else is said
	own    *store.Memory // of the engine, likewise: hooks can't push it out
}

// opened is a store that was opened, once done is closed.
type opened struct {
	done  chan struct{}
	store store.Store
}

func newStores() *stores {
	return &stores{opened: map[string]*opened{}, memory: store.NewMemory(maxStoreKeys), own: store.NewMemory(maxStoreKeys)}
}

// store is where hooks keep things at this moment. It may have to be opened, which nobody
// waits for longer than ctx lasts.
func (e *Engine) store(ctx context.Context) (store.Store, error) {
	s, err := e.configuredStore(ctx)
	if s == nil && err == nil {
		s = e.stores.memory
	}
	return s, err
}

// configuredStore is the store that the configuration or the options name; nil: none.
func (e *Engine) configuredStore(ctx context.Context) (store.Store, error) {
	if e.options.replay != nil {
		return e.options.store, nil
	}
	p := e.planOf(ctx)
	switch p.store {
	case "":
		return e.options.store, nil
	case config.StoreMemory:
		return nil, nil
	}
	e.stores.mu.Lock()
	o, is := e.stores.opened[p.store]
	if !is {
		o = &opened{done: make(chan struct{})}
		e.stores.opened[p.store] = o
	}
	e.stores.mu.Unlock()
	if !is {
		defer close(o.done)
		o.store = noStore{errors.New("the function of WithStores has ended its goroutine")} // where it has
		o.store = e.openConfigured(p.store)
		return o.store, nil
	}
	select {
	case <-o.done:
		return o.store, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// SharedStore is the store that the managed or the user's hooks.yaml names by a URL, so that other machines may use it as
// well: what all of them have to know belongs there. nil: there is none. ctx may be that of an event. The engine closes
// the store.
func (e *Engine) SharedStore(ctx context.Context) (store.Store, error) {
	if err := e.checkUse(ctx); err != nil {
		return nil, err
	}
	if !isShared(e.planOf(ctx).store) || e.options.replay != nil {
		return nil, nil
	}
	return e.configuredStore(ctx)
}

// isShared reports whether what a hooks.yaml names as the store is one of several machines.
func isShared(name string) bool {
	return name != "" && name != config.StoreFile && name != config.StoreMemory
}

func (e *Engine) openConfigured(name string) (s store.Store) {
	if e.options.openStore == nil {
		return noStore{errors.New("hooks.yaml names a store, and this program hasn't said how to open one (engine.WithStores)")}
	}
	defer func() {
		if p := recover(); p != nil {
			s = noStore{fmt.Errorf("the function of WithStores panicked: %v", p)}
			e.logPanic(context.Background(), "WithStores", p)
		}
	}()
	made, err := e.options.openStore(name)
	switch {
	case err != nil:
		return noStore{err}
	case made == nil:
		return noStore{errors.New("the function of WithStores gave no store (nil)")}
	}
	return made
}

// close closes what the engine has opened, and waits for that no longer than ctx lasts, nor
// than a minute. What hasn't come back by then is a straggler.
func (s *stores) close(ctx context.Context, stragglers *luabind.Stragglers) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait := closeTime
	if ctx.Err() != nil { // what closes at once is closed all the same
		ctx, wait = context.WithoutCancel(ctx), endGrace
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	var list []error
	for name, o := range s.opened {
		select {
		case <-o.done:
		default: // somebody who was left behind is still opening it
			list = append(list, errors.New("a store has not been opened yet"))
			continue
		}
		err, left := luabind.Await(ctx, stragglers, "store", func(context.Context) (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("the store panicked: %v", p)
				}
			}()
			return o.store.Close()
		})
		if left != nil {
			err = fmt.Errorf("a store has not been closed: %w", cmp.Or(ctx.Err(), left))
		}
		list = append(list, err)
		delete(s.opened, name)
	}
	return errors.Join(list...)
}

// withState does something where the engine keeps things, and waits for that no longer than
// it should, nor than ctx lasts: whoever has made the store may have been careless. do goes
// on then, and touches nothing of the caller's.
func withState[T any](ctx context.Context, e *Engine, wait time.Duration, do func(ctx context.Context, s store.Store) (T, error)) (v T, err error) {
	if s := e.memoryStore(ctx); s != nil {
		return do(ctx, s)
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the store panicked: %v", p)
			e.logPanic(ctx, "store", p)
		}
	}()
	type answer struct {
		value T
		err   error
	}
	a, err := luabind.Await(ctx, e.stragglers, "store", func(ctx context.Context) (a answer) {
		s, err := e.configuredStore(ctx)
		if err != nil {
			return answer{err: err}
		}
		if s == nil { // another one is named by now
			s = e.stores.own
		}
		a.value, a.err = do(ctx, s)
		return a
	})
	switch {
	case errors.Is(err, luabind.ErrLeftBehind):
		return v, fmt.Errorf("the store has not come back: %w", ctx.Err())
	case err != nil:
		return v, err
	}
	return a.value, a.err
}

// memoryStore is where the engine keeps things if that is the memory, for which nobody waits.
func (e *Engine) memoryStore(ctx context.Context) store.Store {
	named := e.planOf(ctx).store
	if e.options.replay != nil {
		named = ""
	}
	switch named {
	case config.StoreMemory:
		return e.stores.own
	case "":
		if e.options.store == nil {
			return e.stores.own
		}
		if m, ok := e.options.store.(*store.Memory); ok {
			return m
		}
	}
	return nil
}

// stateWaits is how long the event waits for what the engine keeps.
func (f *firing) stateWaits() time.Duration {
	if f.stateStuck.Load() {
		return stateWaitAgain
	}
	return stateWait
}

// updateState changes what the engine keeps under a key for sessions, whose failure is a
// warning: what the engine keeps for itself is no reason to block. What has no session is
// kept for as long as the engine lives.
func (f *firing) updateState(ctx context.Context, key string, change func(old []byte) []byte) bool {
	f.escaped = true // the store gets the event's context
	return f.stateUsable(f.engine.updateState(ctx, f.stateWaits(), key, change))
}

var errLeft = errors.New("nobody waits for this any more")

// updateState is update for any event. change isn't called any more once it is over.
func (e *Engine) updateState(ctx context.Context, wait time.Duration, key string, change func(old []byte) []byte) error {
	var mu sync.Mutex
	left := false
	_, err := withState(ctx, e, wait, func(ctx context.Context, s store.Store) (none struct{}, err error) {
		return none, s.Update(ctx, e.stateSpace(key), key, stateTTL, func(old []byte) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			if left {
				return nil, errLeft
			}
			return change(old), nil
		})
	})
	mu.Lock()
	defer mu.Unlock()
	left = true
	return err
}

// readState gives what the engine keeps under a key.
func (f *firing) readState(ctx context.Context, key string) (value []byte, ok bool) {
	e := f.engine
	if s := e.memoryStore(ctx); s != nil { // each tool call comes by here
		value, err := s.Get(ctx, e.stateSpace(key), key)
		return value, f.stateUsable(err)
	}
	f.escaped = true // the store gets the event's context
	value, err := withState(ctx, e, f.stateWaits(), func(ctx context.Context, s store.Store) ([]byte, error) { return s.Get(ctx, e.stateSpace(key), key) })
	return value, f.stateUsable(err)
}

const stateFailed = "the engine's state can't be used, so hooks may run once too often and loops may go on: "

// stateUsable reports whether the state could be used, and warns where it couldn't.
func (f *firing) stateUsable(err error) bool {
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

// strangerState is what the keys begin with that the engine keeps because of hooks that
// aren't trusted.
const strangerState = "untrusted\x00"

// stateSpace is where scripts have no way to. What a project can make the engine keep by
// having many hooks counts as the project's.
func (e *Engine) stateSpace(key string) store.Space {
	if strings.HasPrefix(key, strangerState) {
		return store.Space{
			Name: "engine\x00untrusted\x00" + e.options.root, MaxKeys: strangerKeys, MaxBytes: strangerBytes,
			Within: []store.Quota{strangersQuota},
		}
	}
	sum := uint32(2166136261) // FNV-1a
	for i := range len(key) {
		sum = (sum ^ uint32(key[i])) * 16777619
	}
	of := (sum ^ sum>>16) % uint32(len(stateSpaces))
	return store.Space{Name: e.stateNames()[of]}
}

// nameStateSpaces names the spaces of the engine's own values.
func (e *Engine) nameStateSpaces() []string {
	names := make([]string, len(stateSpaces))
	for i := range stateSpaces {
		names[i] = "engine\x00" + e.options.root + "\x00" + stateSpaces[i:i+1]
	}
	return names
}

// stateSpaces are the ends of the names of spaces, over which the engine's own values are spread: a store that has
// several nodes keeps each space on one.
const stateSpaces = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"

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

// Bounds of what one script keeps in one store, and of what all scripts of a project keep
// in all of theirs. Projects that nobody has trusted have one for all of them together, too:
// anybody may make as many as they like.
const (
	trustedKeys   = 10_000
	trustedBytes  = 16 << 20
	strangerKeys  = 1_000
	strangerBytes = 1 << 20

	projectKeys          = 50_000
	projectBytes         = 64 << 20
	strangerProjectKeys  = 1_000
	strangerProjectBytes = 4 << 20
	strangersKeys        = 20_000
	strangersBytes       = 64 << 20
)

var strangersQuota = store.Quota{Name: "untrusted", Whose: "for all projects together that aren't trusted", MaxKeys: strangersKeys, MaxBytes: strangersBytes}
