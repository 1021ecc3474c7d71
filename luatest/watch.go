package luatest

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/luahook/luahook/engine"
)

// settleTime is how long nothing may change before the tests run again: an editor writes a
// file in several steps.
const settleTime = 100 * time.Millisecond

// Watch calls run, and again whenever a Lua file or hooks.yaml has changed below what o names,
// until ctx is done. Changes while run is at work count.
func Watch(ctx context.Context, o Options, run func()) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer watcher.Close()
	for ctx.Err() == nil {
		for _, dir := range o.watched() {
			_ = watcher.Add(dir) // again each time, as there may be new ones; of one that is gone run tells
		}
		run()
		if !changed(ctx, watcher) {
			break
		}
	}
	return nil
}

// changed waits until something of interest has changed, and nothing more does; false where ctx
// is done before.
func changed(ctx context.Context, watcher *fsnotify.Watcher) bool {
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-settled:
			return true
		case event := <-watcher.Events:
			name := filepath.Base(event.Name)
			if event.Op != fsnotify.Chmod && (strings.HasSuffix(name, ".lua") || name == "hooks.yaml" || filepath.Ext(name) == "") {
				settled = time.After(settleTime)
			}
		case <-watcher.Errors: // an overflow, say: something has changed
			settled = time.After(settleTime)
		}
	}
}

// watched are the folders that the tests and hooks lie in.
func (o *Options) watched() (folders []string) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil
	}
	paths := o.Paths
	if p, err := engine.FindProject(dir); err == nil && p.Hooks != "" {
		paths = append([]string{p.Hooks}, paths...)
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if filepath.Ext(path) == ".lua" {
			path = filepath.Dir(path)
		}
		_ = filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil
			case !d.IsDir():
				return nil
			case at != path && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".hooks" || d.Name() == "node_modules"):
				return fs.SkipDir
			}
			folders = append(folders, at)
			return nil
		})
	}
	return folders
}
