package engine

import (
	"errors"
	"io/fs"
	"os"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
)

// listedHook is one entry of hooks.yaml with the file that it names.
type listedHook struct {
	config.Hook
	file file // of Script; without its source where that is run as a command
}

// override puts the keys that the entry gives over those of on(...).
func (h *listedHook) override(o *hooks.Options) {
	own := &h.Options
	if h.Set["name"] {
		o.Name = own.Name
	}
	if h.Set["match"] {
		o.Match = own.Match
	}
	if h.Set["priority"] {
		o.Priority = own.Priority
	}
	if h.Set["on_failure"] {
		o.OnFailure = own.OnFailure
	}
	if h.Set["enabled"] {
		o.Disabled = own.Disabled
	}
	if h.Set["timeout"] {
		o.Timeout = own.Timeout
	}
	if h.Set["mode"] {
		o.Mode = own.Mode
	}
	if h.Set["once"] {
		o.Once = own.Once
	}
}

// errorf is an error at what the entry runs.
func (h *listedHook) errorf(format string, args ...any) *hooks.Error {
	for _, key := range []string{"builtin", "script", "command"} {
		if h.Set[key] {
			return h.Errorf(key, format, args...)
		}
	}
	return h.Errorf("", format, args...)
}

// readConfig reads the folder's hooks.yaml; that there is none is fine, unless it was
// asked for.
func (c *folderContent) readConfig() {
	text, err := c.folder.readFile(c.path, config.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) && !c.folder.required {
		if _, err := os.Lstat(c.path); err != nil { // else it is a link that leads nowhere
			return
		}
	}
	if err != nil {
		c.fail(c.path, cause(err))
		return
	}
	c.text = text
	if !c.work(fileWork + yamlWork*int64(len(text))) {
		return
	}
	read, problems := config.Decode(c.folder.display(c.path), text)
	if c.folder.ungranted {
		if err := read.RefuseGrants("an environment variable has named this file, and none grants anything; grant it in the managed file (" + ManagedFile() + ") or in the user's hooks.yaml"); err != nil {
			problems = append(problems, err)
		}
	}
	if (c.folder.scope == hooks.ScopeProject && !c.folder.named) || c.folder.ungranted {
		problems = append(problems, read.RefuseOwn()...)
	}
	for _, err := range problems {
		c.fail(c.path, err)
	}
	c.config = *read
	for _, h := range read.Hooks {
		c.listed = append(c.listed, &listedHook{Hook: h})
	}
}
