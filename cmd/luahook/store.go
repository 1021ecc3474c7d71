package main

import (
	"fmt"
	"path/filepath"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
	"github.com/luahook/luahook/engine/store/redis"
)

// storeOptions say where hooks keep what they remember: in a file of the user's, unless a
// hooks.yaml names another place. Nothing is opened before a hook uses it. Where there is
// no folder for the file, it is the memory.
func storeOptions() []engine.Option {
	options := []engine.Option{engine.WithStores(openStore)}
	if name := storeFile(); name != "" {
		options = append(options, engine.WithStore(file.New(name)))
	}
	return options
}

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
	return nil, fmt.Errorf("there is nowhere to keep the store's file: set HOME or XDG_STATE_HOME to an absolute path")
}
