package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/lib"
)

// StoreScope says who shares a store of hooks.
type StoreScope string

// The scopes of stores, as the module store has them.
const (
	StoreProject StoreScope = StoreScope(lib.StoreProject) // one script's own, in the project
	StoreSession StoreScope = StoreScope(lib.StoreSession) // one script's own, in a session of the agent
	StoreUser    StoreScope = StoreScope(lib.StoreUser)    // one script's own, in all projects of the user
	StoreShared  StoreScope = StoreScope(lib.StoreShared)  // of all trusted scripts of the project that know its name
)

// KeptStore is a store of hooks, for a person to look into and to change.
type KeptStore struct {
	Scope   StoreScope
	Script  string      // whose it is, as the script is displayed; "" of a shared one
	Of      hooks.Scope // the script's scope; "" of a shared one
	Session string      // of [StoreSession]
	Name    string      // of [StoreShared]

	space  store.Space
	engine *Engine
}

// KeptStores lists the stores of the scripts that are loaded: of each its own in the project, in the session ("":
// that of events without one), and of the user; then the shared ones of these names. What a script has kept that isn't
// loaded is in none of them, and neither is what the engine keeps for itself. Nothing is opened yet.
func (e *Engine) KeptStores(ctx context.Context, session string, shared ...string) ([]KeptStore, error) {
	if !e.made() {
		return nil, ErrNotMade
	}
	e.mu.Lock()
	l := e.current
	e.mu.Unlock()
	l, err := l.all(ctx, &e.active)
	if err != nil {
		return nil, err
	}
	var list []KeptStore
	add := func(of *hookStores, k KeptStore) {
		made, err := of.open(lib.StoreScope(k.Scope), k.Name, short(k.Session))
		if err != nil || slices.ContainsFunc(list, func(have KeptStore) bool { return have.space.Name == made.space.Name }) {
			return // a script that is listed twice has its stores once
		}
		k.engine, k.space = e, made.space
		k.space.Owner = e.options.root + "\x00a person" // who must not learn of a loss in the place of a hook
		list = append(list, k)
	}
	var trusted *hookStores
	for _, s := range l.scripts {
		services, ok := s.Environment.Services.(*lib.Services)
		if !ok {
			continue
		}
		of, ok := services.Stores.(*hookStores)
		if !ok {
			continue
		}
		if of.untrusted == "" && of.root == e.options.root {
			trusted = of
		}
		for _, scope := range []StoreScope{StoreProject, StoreSession, StoreUser} {
			k := KeptStore{Scope: scope, Script: s.Program.Name(), Of: of.scope}
			if scope == StoreSession {
				k.Session = session
			}
			add(of, k)
		}
	}
	if trusted == nil {
		trusted = &hookStores{engine: e, root: e.options.root}
	}
	for _, name := range shared {
		add(trusted, KeptStore{Scope: StoreShared, Name: name})
	}
	return list, nil
}

var errInMemory = errors.New("hooks.yaml says store: memory, so hooks remember nothing beyond their process")

func (k *KeptStore) store(ctx context.Context) (store.Store, error) {
	s, err := k.engine.configuredStore(ctx)
	if s == nil && err == nil {
		err = errInMemory
	}
	return s, err
}

// Keys lists the keys that begin with prefix, sorted.
func (k *KeptStore) Keys(ctx context.Context, prefix string) ([]string, error) {
	s, err := k.store(ctx)
	if err != nil {
		return nil, err
	}
	return s.List(ctx, k.space, prefix)
}

// Get gives the value of a key, which is JSON as hooks keep it; nil: there is none.
func (k *KeptStore) Get(ctx context.Context, key string) ([]byte, error) {
	s, err := k.store(ctx)
	if err != nil {
		return nil, err
	}
	return s.Get(ctx, k.space, key)
}

// Set keeps a value, which has to be JSON, for as long as the one before it, or as the scope says.
func (k *KeptStore) Set(ctx context.Context, key string, value []byte) error {
	if err := lib.CheckStored(key, value); err != nil {
		return err
	}
	s, err := k.store(ctx)
	if err != nil {
		return err
	}
	return s.Set(ctx, k.space, key, value, store.Keep)
}

// Delete takes a key away; it needn't be there.
func (k *KeptStore) Delete(ctx context.Context, key string) error {
	s, err := k.store(ctx)
	if err != nil {
		return err
	}
	return s.Delete(ctx, k.space, key)
}
