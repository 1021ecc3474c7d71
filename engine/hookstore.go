package engine

import (
	"bytes"
	"cmp"
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
	owner     string // scope and path
	untrusted string // why the script isn't trusted; "": it is
	bound     bool   // the script lies in a project, and has nothing beyond it
}

func (e *Engine) hookStores(in instance) *hookStores {
	return &hookStores{
		engine: e, owner: string(in.scope) + "\x00" + in.place(), untrusted: in.untrusted,
		bound: in.scope == hooks.ScopeProject,
	}
}

// place is the path of what is loaded: of a file where it lies, else its name.
func (in *instance) place() string {
	if in.builtin || len(in.paths) == 0 {
		return in.file
	}
	return in.paths[len(in.paths)-1]
}

// Bounds of what one script keeps in one store.
const (
	trustedKeys   = 10_000
	trustedBytes  = 16 << 20
	strangerKeys  = 1_000
	strangerBytes = 1 << 20
)

const sharedIsTrusted = "store.shared is for scripts that are trusted, and this one isn't: %s"

var errLoading = errors.New("the script is loading, which it does again and again; use the store within a hook")

const noSession = "the host gives no session_id, so store.session is that of the project"

// Open implements [lib.Stores].
func (h *hookStores) Open(scope lib.StoreScope, name string, event *hooks.Context) (lib.Store, string, error) {
	if event == nil {
		return nil, "", errLoading
	}
	s, note := h.engine.store(), ""
	space := store.Space{MaxKeys: trustedKeys, MaxBytes: trustedBytes}
	parts := []string{"hook", string(scope)}
	switch scope {
	case lib.StoreProject:
		parts = append(parts, h.engine.options.root, h.owner)
	case lib.StoreSession:
		session := short(event.SessionID)
		if session == "" {
			note = noSession
		}
		parts, space.TTL = append(parts, h.engine.options.root, h.owner, session), stateTTL
	case lib.StoreUser:
		root := ""
		if h.bound {
			root = h.engine.options.root
		}
		parts = append(parts, fmt.Sprint(os.Getuid()), root, h.owner)
	case lib.StoreShared:
		if h.untrusted != "" {
			return nil, "", fmt.Errorf(sharedIsTrusted, h.untrusted)
		}
		parts = append(parts, h.engine.options.root, name)
	}
	space.Name = strings.Join(parts, "\x00")
	if h.untrusted != "" {
		space.MaxKeys, space.MaxBytes = strangerKeys, strangerBytes
	}
	return &hookStore{s, space}, note, nil
}

// hookStore is one space of a store as the module has it.
type hookStore struct {
	store store.Store
	space store.Space
}

// Get implements [lib.Store].
func (h *hookStore) Get(ctx context.Context, key string) ([]byte, time.Duration, error) {
	ctx, waited := store.Counting(ctx)
	value, err := h.store.Get(ctx, h.space, key)
	return value, waited(), err
}

// Set implements [lib.Store].
func (h *hookStore) Set(ctx context.Context, key string, value []byte, ttl time.Duration) (time.Duration, error) {
	ctx, waited := store.Counting(ctx)
	var err error
	if value == nil {
		err = h.store.Delete(ctx, h.space, key)
	} else {
		err = h.store.Set(ctx, h.space, key, value, cmp.Or(ttl, h.space.TTL))
	}
	return waited(), err
}

// Incr implements [lib.Store].
func (h *hookStore) Incr(ctx context.Context, key string, by float64) (float64, time.Duration, error) {
	ctx, waited := store.Counting(ctx)
	sum, err := h.store.Incr(ctx, h.space, key, by, store.Keep)
	return sum, waited(), err
}

// errSwapped is what keeps an Update from changing what somebody else has changed.
var errSwapped = errors.New("somebody else was faster")

// Swap implements [lib.Store].
func (h *hookStore) Swap(ctx context.Context, key string, old, value []byte, ttl time.Duration) (bool, time.Duration, error) {
	ctx, waited := store.Counting(ctx)
	err := h.store.Update(ctx, h.space, key, cmp.Or(ttl, store.Keep), func(now []byte) ([]byte, error) {
		if !bytes.Equal(now, old) || (now == nil) != (old == nil) {
			return nil, errSwapped
		}
		return value, nil
	})
	if errors.Is(err, errSwapped) {
		return false, waited(), nil
	}
	return err == nil, waited(), err
}

// List implements [lib.Store].
func (h *hookStore) List(ctx context.Context, prefix string) ([]string, time.Duration, error) {
	ctx, waited := store.Counting(ctx)
	keys, err := h.store.List(ctx, h.space, prefix)
	return keys, waited(), err
}
