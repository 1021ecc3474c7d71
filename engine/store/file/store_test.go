package file_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
	"github.com/luahook/luahook/engine/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) (store.Store, func(time.Duration)) {
		s, c := file.New(filepath.Join(t.TempDir(), "deep", "store.db")), storetest.NewClock()
		s.SetClock(c.Time)
		return s, c.Advance
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
