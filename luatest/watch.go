package luatest

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/luahook/luahook/engine"
)

// settleTime is how long nothing may change before the tests run again: an editor writes a
// file in several steps.
const settleTime = 100 * time.Millisecond

// Watch calls run, and again whenever a Lua file or hooks.yaml has changed below what o names,
// until ctx is done. run is told what has changed, as messages have it: nothing the first time,
// and where it isn't known. Changes while run is at work count.
func Watch(ctx context.Context, o Options, run func(changed []string)) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer watcher.Close()
	r := &runner{Options: o}
	if r.Dir, err = filepath.Abs(o.Dir); err != nil {
		return err
	}
	if r.Dir, err = filepath.EvalSymlinks(r.Dir); err != nil {
		return err
	}
	var names []string
	for ctx.Err() == nil {
		folders := o.watched()
		for _, dir := range folders {
			_ = watcher.Add(dir) // again each time, as there may be new ones; of one that is gone run tells
		}
		run(names)
		paths, ok := changed(ctx, watcher, folders)
		if !ok {
			break
		}
		names = nil
		for _, path := range paths {
			names = append(names, r.shown(path))
		}
	}
	return nil
}

// changed waits until something of interest has changed, and nothing more does; false where ctx
// is done before. A folder is of interest, as Lua files may come or go with it.
func changed(ctx context.Context, watcher *fsnotify.Watcher, folders []string) (paths []string, ok bool) {
	found := map[string]bool{}
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil, false
		case <-settled:
			return slices.Sorted(maps.Keys(found)), true
		case event := <-watcher.Events:
			name := filepath.Base(event.Name)
			matters := strings.HasSuffix(name, ".lua") && !strings.HasPrefix(name, ".") || name == "hooks.yaml"
			if !matters {
				info, err := os.Lstat(event.Name)
				matters = err == nil && info.IsDir() || slices.Contains(folders, event.Name)
			}
			if event.Op != fsnotify.Chmod && matters {
				found[event.Name] = true
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
