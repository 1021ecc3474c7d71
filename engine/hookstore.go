package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/lib"
)

// hookStores are the stores of one script. Whose a space is, is in its name: the scope, the
// script's own path and the project, so that no script finds the keys of another.
type hookStores struct {
	engine    *Engine
	root      string // of the project
	scope     hooks.Scope
	owner     string // scope and path
	untrusted string // why the script isn't trusted; "": it is
	bound     bool   // the script lies in a project, and has nothing beyond it
}

func (e *Engine) hookStores(in scriptSpec) *hookStores {
	return &hookStores{
		engine: e, root: in.root(&e.options), scope: in.scope, owner: string(in.scope) + "\x00" + in.place(), untrusted: in.untrusted,
		bound: in.scope == hooks.ScopeProject,
	}
}

// place is the path of what is loaded: of a file where it lies, else its name.
func (in *scriptSpec) place() string {
	if in.builtin || len(in.paths) == 0 {
		return in.file
	}
	return in.paths[len(in.paths)-1]
}

// strangerTTL is how long a project that isn't trusted keeps something at most.
const strangerTTL = stateTTL

const sharedIsTrusted = "store.shared is for scripts that are trusted, and this one isn't: %s"

var errLoading = errors.New("the script is loading, which it does again and again; use the store within a hook")

const noSession = "the host gives no session_id, so store.session is that of the project"

// Open implements [lib.Stores].
func (h *hookStores) Open(scope lib.StoreScope, name string, event *hooks.Context) (lib.Store, string, error) {
	if event == nil {
		return nil, "", errLoading
	}
	session := short(event.SessionID)
	made, err := h.open(scope, name, session)
	if err != nil {
		return nil, "", err
	}
	note := ""
	if scope == lib.StoreSession && session == "" {
		note = noSession
	}
	return made, note, nil
}

// open is the store of a scope; name is that of a shared one, and session the agent's.
func (h *hookStores) open(scope lib.StoreScope, name, session string) (*hookStore, error) {
	root := h.root
	space := store.Space{MaxKeys: trustedKeys, MaxBytes: trustedBytes, Owner: root + "\x00" + h.owner}
	parts := []string{"hook", string(scope)}
	switch scope {
	case lib.StoreProject:
		parts = append(parts, root, h.owner)
	case lib.StoreSession:
		parts, space.TTL = append(parts, root, h.owner, session), stateTTL
	case lib.StoreUser:
		of := ""
		if h.bound {
			of = root
		}
		parts = append(parts, fmt.Sprint(os.Getuid()), of, h.owner)
	case lib.StoreShared:
		if h.untrusted != "" {
			return nil, fmt.Errorf(sharedIsTrusted, h.untrusted)
		}
		parts = append(parts, root, name)
	}
	space.Name = strings.Join(parts, "\x00")
	if h.bound || scope == lib.StoreShared {
		space.Within = append(space.Within, projectQuota(root, projectKeys, projectBytes))
	}
	longest := time.Duration(0)
	if h.untrusted != "" {
		space.MaxKeys, space.MaxBytes = strangerKeys, strangerBytes
		space.Within = []store.Quota{projectQuota(root, strangerProjectKeys, strangerProjectBytes), strangersQuota}
		longest = strangerTTL
		space.TTL = longest
	}
	return &hookStore{h.engine, space, longest}, nil
}

func projectQuota(root string, keys int, bytes int64) store.Quota {
	return store.Quota{Name: "project\x00" + root, Whose: "for all scripts of this project together", MaxKeys: keys, MaxBytes: bytes}
}

// hookStore is one space of a store as the module has it.
type hookStore struct {
	engine  *Engine
	space   store.Space
	longest time.Duration // that a key may live; 0: for ever
}

// callStore makes a call of the store, as part of an event.
func callStore[T any](ctx context.Context, h *hookStore, do func(ctx context.Context, s store.Store) (T, error)) (v T, waited time.Duration, err error) {
	use, ok := ctx.Value(storeUseKey{}).(*storeUse)
	if !ok {
		use = new(storeUse)
	}
	if err := use.hasLost(h.space.Owner); err != nil {
		return v, 0, err
	}
	ctx, count := store.Counting(store.Noting(ctx, use.note))
	s, err := h.engine.store(ctx)
	if err == nil {
		v, err = do(ctx, s)
	}
	use.learn(h.space.Owner, err)
	return v, count(), err
}

// ttl is how long a key lives for which the script has said so, or nothing.
func (h *hookStore) ttl(said, otherwise time.Duration) time.Duration {
	if said == 0 {
		return otherwise
	}
	if h.longest > 0 {
		return min(said, h.longest)
	}
	return said
}

// Get implements [lib.Store].
func (h *hookStore) Get(ctx context.Context, key string) ([]byte, time.Duration, error) {
	return callStore(ctx, h, func(ctx context.Context, s store.Store) ([]byte, error) { return s.Get(ctx, h.space, key) })
}

// Set implements [lib.Store].
func (h *hookStore) Set(ctx context.Context, key string, value []byte, ttl time.Duration) (time.Duration, error) {
	_, waited, err := callStore(ctx, h, func(ctx context.Context, s store.Store) (none struct{}, err error) {
		if value == nil {
			return none, s.Delete(ctx, h.space, key)
		}
		return none, s.Set(ctx, h.space, key, value, h.ttl(ttl, h.space.TTL))
	})
	return waited, err
}

// Incr implements [lib.Store].
func (h *hookStore) Incr(ctx context.Context, key string, by float64) (float64, time.Duration, error) {
	return callStore(ctx, h, func(ctx context.Context, s store.Store) (float64, error) {
		return s.Incr(ctx, h.space, key, by, store.Keep)
	})
}

// errSwapped is what keeps an Update from changing what somebody else has changed.
var errSwapped = errors.New("somebody else was faster")

// Swap implements [lib.Store].
func (h *hookStore) Swap(ctx context.Context, key string, old, value []byte, ttl time.Duration) (bool, time.Duration, error) {
	return callStore(ctx, h, func(ctx context.Context, s store.Store) (bool, error) {
		err := s.Update(ctx, h.space, key, h.ttl(ttl, store.Keep), func(now []byte) ([]byte, error) {
			if !bytes.Equal(now, old) || (now == nil) != (old == nil) {
				return nil, errSwapped
			}
			return value, nil
		})
		if errors.Is(err, errSwapped) {
			return false, nil
		}
		return err == nil, err
	})
}

// List implements [lib.Store].
func (h *hookStore) List(ctx context.Context, prefix string) ([]string, time.Duration, error) {
	return callStore(ctx, h, func(ctx context.Context, s store.Store) ([]string, error) { return s.List(ctx, h.space, prefix) })
}
