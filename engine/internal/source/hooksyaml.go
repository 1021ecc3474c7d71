package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
)

// Hook is one entry of hooks.yaml with the file that it names.
type Hook struct {
	config.Hook
	File File // of Script; without its source where that is run as a command
}

// Apply puts the keys that the entry gives over those of on(...).
func (h *Hook) Apply(o *hooks.Options) {
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

// Mistake is an error at what the entry runs.
func (h *Hook) Mistake(format string, args ...any) *hooks.Error {
	for _, key := range []string{"builtin", "script", "command"} {
		if h.Set[key] {
			return h.Errorf(key, format, args...)
		}
	}
	return h.Errorf("", format, args...)
}

// readConfig reads the folder's hooks.yaml; that there is none is fine, unless it was
// asked for.
func (c *Content) readConfig() {
	text, err := c.Folder.readFile(c.Path, config.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) && !c.Folder.Required {
		if _, err := os.Lstat(c.Path); err != nil { // else it is a link that leads nowhere
			return
		}
	}
	if err != nil {
		c.fail(c.Path, Cause(err))
		return
	}
	c.Text = text
	if !c.spend(fileWork + yamlWork*int64(len(text))) {
		return
	}
	read, problems := config.Decode(c.Folder.Display(c.Path), text)
	if c.Folder.Ungranted != "" {
		if err := read.RefuseGrants(c.Folder.Ungranted); err != nil {
			problems = append(problems, err)
		}
	}
	if (c.Folder.Scope == hooks.ScopeProject && !c.Folder.Explicit) || c.Folder.Ungranted != "" {
		problems = append(problems, read.RefuseOwn()...)
	}
	for _, err := range problems {
		c.fail(c.Path, err)
	}
	c.Config = *read
	for _, h := range read.Hooks {
		c.Hooks = append(c.Hooks, &Hook{Hook: h})
	}
}

// CommandProgram is what a command hook runs, as command.New wants it. Where its program is a
// relative path, that starts at the folder of hooks.yaml; under a folder that the user
// has named also at the project's root, where commands run. In the user's and the
// managed file it doesn't: each project could bring a program of that name.
func (c *Content) CommandProgram(h *Hook) (text string, args []string, err error) {
	if h.Script != "" {
		return h.File.Path, []string{}, nil
	}
	if c.Folder.Confined {
		return h.Command, h.Args, nil
	}
	from, to := 0, len(h.Command)
	if h.Args == nil {
		at := relativeProgram().FindStringSubmatchIndex(h.Command)
		if at == nil {
			return h.Command, nil, nil
		}
		from, to = at[2], at[3]
	}
	program := h.Command[from:to]
	if !strings.Contains(program, "/") || filepath.IsAbs(program) {
		return h.Command, h.Args, nil
	}
	p := filepath.Join(c.Folder.Dir, program)
	switch {
	case c.Folder.leadsInside(p):
		return "", nil, fmt.Errorf("%s: %w", program, errInside)
	case !isFile(p) && c.Folder.Explicit:
		return h.Command, h.Args, nil
	case !isFile(p):
		return "", nil, fmt.Errorf("there is no %s beside this file; name it by an absolute path, as each project could bring one of that name", program)
	case h.Args != nil:
		return p, h.Args, nil
	}
	return h.Command[:from] + quoted(p) + h.Command[to:], nil, nil
}

// relativeProgram finds the program of a command line where it is a relative path
// without quotes.
var relativeProgram = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*([A-Za-z0-9_.][A-Za-z0-9_./-]*/[A-Za-z0-9_./-]+)(?:\s|$)`)
})

// quoted is a text as one word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
