package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// folder is a place that hooks are read from: a project's .hooks, the user's
// configuration, or one that an option names.
type folder struct {
	scope    hooks.Scope
	dir      string // holds hooks.yaml
	scripts  string // holds *.lua and lib/
	root     string // where relative paths of hooks.yaml start
	confined bool   // nothing outside root is read, whatever links say
	refused  error  // why the folder may not be used
}

// file is one script as it was read.
type file struct {
	path    string // absolute
	display string // what messages call it
	source  string
}

// badFile is what can't be used, and the files to edit to mend it.
type badFile struct {
	err   error
	paths []string
}

// folderContent is what a folder held.
type folderContent struct {
	folder    folder
	config    config
	scripts   []file
	libraries map[string]file // by the name that require uses
	faults    []badFile
}

// read takes in hooks.yaml, the scripts that load by themselves, those that
// hooks.yaml lists, and the libraries. What can't be used is a fault; the rest is
// read all the same.
func (f folder) read() *folderContent {
	c := &folderContent{folder: f, libraries: map[string]file{}}
	if f.refused != nil {
		c.failFolder(f.dir, f.refused)
		return c
	}
	c.readConfig()
	if c.config.disabled {
		return c
	}
	c.checkNames()
	listed := map[string]bool{}
	for i := range c.config.hooks {
		if h := &c.config.hooks[i]; h.script != "" {
			if p := c.readListed(h); p != "" {
				listed[p] = true
			}
		}
	}
	entries, err := os.ReadDir(f.scripts)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.failFolder(f.scripts, cause(err))
	}
	for _, d := range entries {
		p := filepath.Join(f.scripts, d.Name())
		if !loadsByItself(d.Name()) || listed[p] {
			continue
		}
		if source, ok := c.readScript(p); ok && !isMeta(source.source) {
			c.scripts = append(c.scripts, source)
		}
	}
	c.readLibraries()
	return c
}

// checkNames finds files that would be left unread for how their names are written.
func (c *folderContent) checkNames() {
	f := c.folder
	check := func(dir string, rightly func(name string) string) {
		entries, _ := os.ReadDir(dir) // where it can't be read, read says so
		for _, d := range entries {
			if right := rightly(d.Name()); right != "" && right != d.Name() && !d.IsDir() {
				c.fail(filepath.Join(dir, d.Name()), fmt.Errorf("a file of this name is not read; it must be named %s", right))
			}
		}
	}
	check(f.dir, func(name string) string {
		if strings.EqualFold(name, "hooks.yaml") || strings.EqualFold(name, "hooks.yml") {
			return "hooks.yaml"
		}
		return ""
	})
	check(f.scripts, func(name string) string {
		ext := filepath.Ext(name)
		right := strings.TrimSuffix(name, ext) + ".lua"
		if strings.EqualFold(ext, ".lua") && loadsByItself(right) {
			return right
		}
		return ""
	})
}

// loadsByItself tells whether a file of the folder is a hook script by its name.
func loadsByItself(name string) bool {
	return strings.HasSuffix(name, ".lua") && !strings.HasSuffix(name, "_test.lua") && name[0] != '_' && name[0] != '.'
}

// isMeta tells whether the first line marks a file of definitions for editors.
func isMeta(source string) bool {
	first, _, _ := strings.Cut(source, "\n")
	words := strings.Fields(first)
	return len(words) > 0 && words[0] == "---@meta"
}

// fail notes a file that can't be used; more are files that could mend it as well.
func (c *folderContent) fail(path string, err error, more ...string) {
	e := hooks.AsError(err, hooks.KindLoad)
	if e.Source == "" {
		e.Source = c.folder.display(path)
	}
	c.faults = append(c.faults, badFile{e, append(more, path)})
}

// failFolder notes a folder that can't be used, which no edit of a file mends.
func (c *folderContent) failFolder(path string, err error) {
	c.faults = append(c.faults, badFile{err: &hooks.Error{Kind: hooks.KindLoad, Source: c.folder.display(path), Message: err.Error(), Err: err}})
}

// readScript reads one Lua file; a failure is a fault.
func (c *folderContent) readScript(p string) (file, bool) {
	text, err := c.folder.readFile(p, luabind.MaxSourceBytes)
	if err != nil {
		c.fail(p, cause(err))
		return file{}, false
	}
	return file{path: p, display: c.folder.display(p), source: string(text)}, true
}

// readLibraries reads lib/**/*.lua for require: lib/a/b.lua is "a.b".
func (c *folderContent) readLibraries() {
	root := filepath.Join(c.folder.scripts, "lib")
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() || !loadsByItself(d.Name()) {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		if source, ok := c.readScript(p); ok {
			name := strings.ReplaceAll(strings.TrimSuffix(filepath.ToSlash(rel), ".lua"), "/", ".")
			c.libraries[name] = source
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.failFolder(root, cause(err))
	}
}

// readListed reads the script that an entry of hooks.yaml names and returns its
// path.
func (c *folderContent) readListed(h *listedHook) string {
	f := c.folder
	candidates := []string{filepath.Join(f.root, filepath.FromSlash(h.script))}
	if !f.confined { // beside the configuration first, then from the root
		candidates = append([]string{filepath.Join(f.dir, filepath.FromSlash(h.script))}, candidates...)
	}
	if filepath.IsAbs(h.script) {
		candidates = []string{filepath.Clean(h.script)}
	}
	for i, p := range candidates {
		text, err := f.readFile(p, luabind.MaxSourceBytes)
		if errors.Is(err, fs.ErrNotExist) && i+1 < len(candidates) {
			continue
		}
		h.file = file{path: p, display: f.display(p), source: string(text)}
		if err != nil {
			if !h.options.Disabled {
				c.fail(c.config.path, h.errorf("script %s: %v", h.script, cause(err)), p)
			}
			h.options.Disabled = true
		}
		return p
	}
	return ""
}

// readFile reads a regular file of at most max bytes. In a confined folder it can't
// be led out of the root by links or by "..".
func (f folder) readFile(p string, size int64) ([]byte, error) {
	stat, read := os.Stat, os.ReadFile
	if f.confined {
		rel, err := filepath.Rel(f.root, p)
		if err != nil || !filepath.IsLocal(rel) {
			return nil, fmt.Errorf("it lies outside the project (%s)", f.root)
		}
		root, err := os.OpenRoot(f.root)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		stat = func(string) (fs.FileInfo, error) { return root.Stat(rel) }
		read = func(string) ([]byte, error) { return root.ReadFile(rel) }
	}
	info, err := stat(p)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case info.Size() > size:
		return nil, fmt.Errorf("it is larger than %d bytes", size)
	}
	return read(p)
}

// display names a file as messages show it: relative to the root where it lies in
// it, with ~ for the home folder.
func (f folder) display(p string) string {
	if rel, err := filepath.Rel(f.root, p); err == nil && f.scope == hooks.ScopeProject && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(p) {
		if rel, err := filepath.Rel(home, p); err == nil && filepath.IsLocal(rel) {
			return path.Join("~", filepath.ToSlash(rel))
		}
	}
	return filepath.ToSlash(p)
}

// cause is an error without the path that messages name already.
func cause(err error) error {
	var p *fs.PathError
	switch {
	case !errors.As(err, &p):
		return err
	case strings.HasPrefix(p.Err.Error(), "path escapes"): // what os.Root says of links
		return errors.New("a link leads out of the project")
	}
	return p.Err
}

func isFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("hooks folder %s: %w", dir, cause(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("hooks folder %s: not a folder", dir)
	}
	return nil
}
