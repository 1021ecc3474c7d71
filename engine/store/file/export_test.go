package file

import (
	"os"
	"testing"
	"time"
)

// SetClock gives a store another clock.
func (s *Store) SetClock(now func() time.Time) { s.now = now }

// SetMaxWait makes a store less patient.
func (s *Store) SetMaxWait(d time.Duration) { s.maxWait = d }

// Device is what a store has of an open file.
type Device = device

// SetDevice puts something between a store and its file.
func (s *Store) SetDevice(make func(f *os.File) Device) { s.device = make }

// Unsynced is a file that waits for no disk.
type Unsynced struct{ *os.File }

func (Unsynced) Sync() error { return nil }

// Lock locks an open file as a process that writes does.
var Lock = lock

// PageBytes is how large a page is.
const PageBytes = pageBytes

// Keys are all that the tree of a file has.
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
