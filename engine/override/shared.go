package override

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/engine/store"
)

// medium holds one text: a file, or a value that several machines share.
type medium interface {
	// Read gives the text, nil where there is none.
	Read() ([]byte, error)
	// Change puts what edit makes of the text in its place, in one step. edit may be called again.
	Change(edit func(old []byte) ([]byte, error)) error
	// Extend puts what add returns behind the text, in one go; nothing changes where that is empty. add may be called again.
	Extend(add func(old []byte) ([]byte, error)) error
}

// medium is where a text of the place is. In an event nobody waits for it longer than wait.
func (p *place) medium(name string, wait time.Duration, unsynced bool) medium {
	if p.shared != nil {
		return sharedText{p.shared, store.Space{Name: "engine\x00passes\x00" + p.root}, name, wait}
	}
	return ownfile.File{Path: name, Max: maxFileBytes, Wait: wait, Unsynced: unsynced}
}

// sharedText is a text in a store.
type sharedText struct {
	store store.Store
	space store.Space // that no hook has
	key   string
	wait  time.Duration
}

func (t sharedText) Read() ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), t.wait)
	defer cancel()
	return t.store.Get(ctx, t.space, t.key)
}

var errTooLarge = fmt.Errorf("it would be larger than %d MiB", maxFileBytes>>20)

func (t sharedText) Change(edit func(old []byte) ([]byte, error)) error {
	ctx, cancel := context.WithTimeout(context.Background(), t.wait)
	defer cancel()
	return t.store.Update(ctx, t.space, t.key, store.Forever, func(old []byte) ([]byte, error) {
		text, err := edit(old)
		if err == nil && len(text) > maxFileBytes {
			err = errTooLarge
		}
		return text, err
	})
}

func (t sharedText) Extend(add func(old []byte) ([]byte, error)) error {
	return t.Change(func(old []byte) ([]byte, error) {
		more, err := add(old)
		return slices.Concat(old, more), err
	})
}

// findShared is the store of Shared, nil where there is none.
func (s *Store) findShared() (store.Store, error) {
	if s.Shared == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWaitInEvent)
	defer cancel()
	found, err := s.Shared(ctx)
	var unavailable *store.UnavailableError
	if err != nil && !errors.As(err, &unavailable) {
		err = &store.UnavailableError{Message: "the store can't be used", Err: err}
	}
	return found, err
}
