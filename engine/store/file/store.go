// Package file is a store in one file for many short processes. The file is opened for each operation and closed
// after it.
package file

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine/store"
)

// Store is a store in a file. It implements [store.Store]; make one with [New].
//
// Each call opens the file, does one transaction and closes it: no process holds it longer, and a killed process
// leaves no lock behind. Calls of one process take turns; processes wait for each other, [store.MaxWait] at
// most, and note that with [store.Waited]. A call returns a [*store.UnavailableError] and leaves the file as it
// is if it can't get the file in that time (a fraction of it if the call before has waited in vain), if others
// may write to the file, or if the file isn't a store of this version.
//
// Everything that is read has a checksum. A file that doesn't hold what was written to it, that was cut off or
// is empty, or that has an older layout, is renamed within its folder, to the store's name with ".damaged-" and
// the time, and a new store takes its place. The call that finds such a file returns an
// [*store.UnavailableError] with Lost. So does, as long as the file is there, the first call of every other
// [store.Space.Owner]; all further calls report it with [store.Note]. After five such files all calls fail.
//
// What a call has written survives the death of the process and, as far as the disk tells the truth, of the
// machine. If either dies during a call, the file holds either the old content or all of the new one.
//
// Expired and deleted values leave space within the file, which shrinks if that is at its end.
type Store struct {
	path  string
	gate  chan struct{} // holds one element; its sender may use the file
	stuck atomic.Bool   // the last call has waited in vain for others

	now     func() time.Time
	maxWait time.Duration
	device  func(f *os.File) device
}

// New returns the store in the file with that path. The file and its folder needn't exist: the first write makes
// them, with the modes 0600 and 0700. Nothing is opened yet.
func New(path string) *Store {
	return &Store{path: path, gate: make(chan struct{}, 1), now: time.Now, maxWait: store.MaxWait, device: func(f *os.File) device { return opened{f} }}
}

// Get implements [store.Store].
func (s *Store) Get(ctx context.Context, sp store.Space, key string) (value []byte, err error) {
	if err := store.Check(key, store.Keep); err != nil {
		return nil, err
	}
	err = s.do(ctx, work{owner: owner(sp), do: func(t *transaction) error {
		r, err := t.get(nameOf(sp.Name), key)
		value = r.value
		return err
	}})
	if err != nil {
		return nil, err
	}
	return value, nil
}

// Set implements [store.Store].
func (s *Store) Set(ctx context.Context, sp store.Space, key string, value []byte, ttl time.Duration) error {
	return s.change(ctx, sp, key, ttl, func([]byte) ([]byte, error) { return append([]byte{}, value...), nil })
}

// Incr implements [store.Store].
func (s *Store) Incr(ctx context.Context, sp store.Space, key string, by float64, ttl time.Duration) (sum float64, err error) {
	var added float64
	err = s.change(ctx, sp, key, ttl, func(old []byte) (value []byte, err error) {
		value, added, err = store.Add(old, by)
		return value, err
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// Update implements [store.Store]. The file is held while change is called.
func (s *Store) Update(ctx context.Context, sp store.Space, key string, ttl time.Duration, change func(old []byte) ([]byte, error)) error {
	var panicked any
	err := s.change(ctx, sp, key, ttl, func(old []byte) (value []byte, err error) {
		defer func() {
			if panicked = recover(); panicked != nil { // it says nothing about the file
				err = errPanicked
			}
		}()
		return change(bytes.Clone(old))
	})
	if panicked != nil {
		panic(panicked)
	}
	return err
}

var errPanicked = errors.New("the change has panicked")

// Delete implements [store.Store].
func (s *Store) Delete(ctx context.Context, sp store.Space, key string) error {
	return s.change(ctx, sp, key, store.Keep, func([]byte) ([]byte, error) { return nil, nil })
}

// List implements [store.Store].
func (s *Store) List(ctx context.Context, sp store.Space, prefix string) ([]string, error) {
	keys := []string{}
	err := s.do(ctx, work{owner: owner(sp), do: func(t *transaction) (err error) {
		keys, err = t.list(nameOf(sp.Name), prefix)
		return err
	}})
	if err != nil {
		return nil, err
	}
	return keys, nil
}

// Close implements [store.Store]; nothing is open between calls.
func (s *Store) Close() error { return nil }

func (s *Store) change(ctx context.Context, sp store.Space, key string, ttl time.Duration, change func(old []byte) ([]byte, error)) error {
	if err := store.Check(key, ttl); err != nil {
		return err
	}
	return s.do(ctx, work{owner: owner(sp), writes: true, do: func(t *transaction) error { return t.change(sp, key, ttl, change) }})
}

func owner(sp store.Space) string { return cmp.Or(sp.Owner, sp.Name) }

var _ store.Store = (*Store)(nil)
