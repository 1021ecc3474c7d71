package engine

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
	if c.folder.ungranted != "" {
		if err := read.RefuseGrants(c.folder.ungranted); err != nil {
			problems = append(problems, err)
		}
	}
	if (c.folder.scope == hooks.ScopeProject && !c.folder.named) || c.folder.ungranted != "" {
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

// program is what a command hook runs, as command.New wants it. Where its program is a
// relative path, that starts at the folder of hooks.yaml; under a folder that the user
// has named also at the project's root, where commands run. In the user's and the
// managed file it doesn't: each project could bring a program of that name.
func (c *folderContent) program(h *listedHook) (text string, args []string, err error) {
	if h.Script != "" {
		return h.file.path, []string{}, nil
	}
	if c.folder.confined {
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
	p := filepath.Join(c.folder.dir, program)
	switch {
	case c.folder.leadsInside(p):
		return "", nil, fmt.Errorf("%s: %w", program, errInside)
	case !isFile(p) && c.folder.named:
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
