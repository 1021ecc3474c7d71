package file

import (
	"os"
	"testing"
	"time"
)

// SetClock sets the clock of a store.
func (s *Store) SetClock(now func() time.Time) { s.now = now }

// SetMaxWait sets how long a store waits.
func (s *Store) SetMaxWait(d time.Duration) { s.maxWait = d }

// Device is a store's open file.
type Device = device

// SetDevice puts something between a store and its file.
func (s *Store) SetDevice(make func(f *os.File) Device) { s.device = make }

// Unsynced is a file that doesn't wait for the disk.
type Unsynced struct{ *os.File }

func (Unsynced) Sync() error { return nil }

// Lock locks an open file as a writing process does.
var Lock = lock

// PageBytes is the size of a page.
const PageBytes = pageBytes

// Keys returns all keys in the tree of a file.
func (s *Store) Keys(t *testing.T) (keys []string) {
	t.Helper()
	err := s.do(t.Context(), work{do: func(tx *transaction) error {
		return tx.tree.ascend(nil, func(key, _ []byte) bool {
			keys = append(keys, string(key))
			return true
		})
	}})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}
