package main

import (
	"path/filepath"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/spill"
	"github.com/luahook/luahook/engine/task"
)

// keeping says where hooks keep tasks, unless hooks.yaml does, and long texts. Where there
// is no place for one of the two, hooks that want it are told so.
func keeping(p engine.Project) (options []engine.Option) {
	if dir := engine.StateDir(); dir != "" {
		options = append(options, engine.WithTasks(task.NewFile(task.DefaultPath(dir, p.Root), p.Root)))
	}
	if dir := engine.CacheDir(); dir != "" {
		options = append(options, engine.WithSpill(spill.New(filepath.Join(dir, "spill"), p.Root)))
	}
	return options
}
