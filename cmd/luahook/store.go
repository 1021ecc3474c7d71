package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
	"github.com/luahook/luahook/engine/store/redis"
)

// storeOptions say where hooks keep what they remember: in a file of the user's, unless a
// hooks.yaml names another place. Nothing is opened before a hook uses it. Where there is
// no folder for the file, hooks that want to remember something fail: a guard that forgets
// what it has counted is none.
func storeOptions() []engine.Option {
	options := []engine.Option{engine.WithStores(openStore)}
	if name := storeFile(); name != "" {
		return append(options, engine.WithStore(file.New(name)))
	}
	return append(options, engine.WithStore(noStore{}))
}

var errNoStore = &store.UnavailableError{Message: "there is nowhere to keep the store's file: set HOME or XDG_STATE_HOME to an absolute path"}

// noStore is a store that can't be used.
type noStore struct{}

func (noStore) Get(context.Context, store.Space, string) ([]byte, error) { return nil, errNoStore }
func (noStore) Set(context.Context, store.Space, string, []byte, time.Duration) error {
	return errNoStore
}
func (noStore) Incr(context.Context, store.Space, string, float64, time.Duration) (float64, error) {
	return 0, errNoStore
}
func (noStore) Update(context.Context, store.Space, string, time.Duration, func([]byte) ([]byte, error)) error {
	return errNoStore
}
func (noStore) Delete(context.Context, store.Space, string) error           { return errNoStore }
func (noStore) List(context.Context, store.Space, string) ([]string, error) { return nil, errNoStore }
func (noStore) Close() error                                                { return nil }

func storeFile() string {
	dir := engine.StateDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "store.db")
}

func openStore(name string) (store.Store, error) {
	if name != config.StoreFile {
		return redis.Open(name)
	}
	if at := storeFile(); at != "" {
		return file.New(at), nil
	}
	return nil, errNoStore
}
