package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/luahook/luahook/hooks"
)

// config is a hooks.yaml. Its documented form is in docs/authors.md.
type config struct {
	path      string
	disabled  bool
	onFailure hooks.Policy
	limits    Limits
	hooks     []listedHook
}

// listedHook is one entry under an event of hooks.yaml.
type listedHook struct {
	event   hooks.Event
	builtin string
	script  string
	with    map[string]any
	options hooks.Options
	set     map[string]bool // the keys that the entry gives
	file    file            // of script
	source  string          // hooks.yaml:line
}

// override puts the keys that the entry gives over those of on(...).
func (h *listedHook) override(o *hooks.Options) error {
	if h.set["name"] {
		o.Name = h.options.Name
	}
	if h.set["match"] {
		if err := h.options.Match.Check(hooks.Lookup(h.event)); err != nil {
			return h.errorf("%v", err)
		}
		o.Match = h.options.Match
	}
	if h.set["priority"] {
		o.Priority = h.options.Priority
	}
	if h.set["on_failure"] {
		o.OnFailure = h.options.OnFailure
	}
	if h.set["enabled"] {
		o.Disabled = h.options.Disabled
	}
	if h.set["timeout"] {
		o.Timeout = h.options.Timeout
	}
	return nil
}

func (h *listedHook) errorf(format string, args ...any) *hooks.Error {
	return &hooks.Error{Kind: hooks.KindLoad, Hook: h.options.Name, Source: h.source, Message: fmt.Sprintf(format, args...)}
}

// maxConfigBytes and maxConfigDepth keep a hostile hooks.yaml from keeping the YAML
// parser busy, whose work grows with the square of both.
const (
	maxConfigBytes = 64 << 10
	maxConfigDepth = 100
)

// readConfig reads the folder's hooks.yaml; that there is none is fine.
func (c *folderContent) readConfig() {
	c.config.path = filepath.Join(c.folder.dir, "hooks.yaml")
	text, err := c.folder.readFile(c.config.path, maxConfigBytes)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(c.config.path); err != nil { // else it is a link that leads nowhere
			return
		}
	}
	if err != nil {
		c.fail(c.config.path, cause(err))
		return
	}
	d := &configDecoder{name: c.folder.display(c.config.path), config: &c.config}
	d.decode(text)
	for _, err := range d.errors {
		c.fail(c.config.path, err)
	}
}
