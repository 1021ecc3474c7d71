package file_test

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
	"github.com/luahook/luahook/engine/store/storetest"
)

// clock is one that a test puts forward.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) (store.Store, func(time.Duration)) {
		s, c := file.New(filepath.Join(t.TempDir(), "deep", "store.db")), &clock{now: time.Unix(1e9, 0)}
		s.SetClock(c.time)
		return s, c.advance
	})
}

func TestManyProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	storetest.RunProcesses(t, path, file.New(path))
}

func TestKilledProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	storetest.RunKilled(t, path, file.New(path))
}
