package source

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
)

// Vanished is since when which files of one folder are gone. It belongs to one goroutine.
type Vanished map[string]time.Time

// ReadAgain reads a folder that old was read from before; nil: never. What was there and is
// gone stays in it for the time of keep. gone is the error that says so, or nil; sum is a hash
// of what is there; until is when the first of what is gone goes. asked: somebody who knows
// that the files are whole wants it.
func (f Folder) ReadAgain(l *Budget, old *Content, v Vanished, keep time.Duration, asked bool) (c *Content, sum string, gone *hooks.Error, until time.Time) {
	c = f.Read(l)
	if old == nil {
		return c, c.Sum(), nil, until
	}
	const rounds = 4 // files may come back while the folder is being read
	for range rounds {
		if _, back := c.missing(old, asked); !back {
			break
		}
		c = f.Read(l)
	}
	paths, _ := c.missing(old, asked)
	sum = c.Sum()
	if paths = v.within(paths, keep); len(paths) > 0 {
		c.keepFiles(old, paths)
		gone = f.goneError(paths, keep)
	}
	return c, sum, gone, v.first(paths, keep)
}

// within notes what is gone, and leaves of that what isn't gone for longer than it stays.
func (v Vanished) within(gone []string, keep time.Duration) []string {
	maps.DeleteFunc(v, func(path string, _ time.Time) bool { return !slices.Contains(gone, path) })
	now := time.Now()
	return slices.DeleteFunc(gone, func(path string) bool {
		if _, known := v[path]; !known {
			v[path] = now
		}
		return !now.Before(v[path].Add(keep))
	})
}

// first is when the first of what is gone goes.
func (v Vanished) first(gone []string, keep time.Duration) (first time.Time) {
	for _, path := range gone {
		first = Earlier(first, v[path].Add(keep))
	}
	return first
}

// Earlier is the first of two times; zero is never.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}

// goneError is the error of files that are gone.
func (f Folder) goneError(gone []string, keep time.Duration) *hooks.Error {
	e := &hooks.Error{Kind: hooks.KindLoad, Source: f.Display(gone[0])}
	what := "this file was"
	switch _, err := os.Lstat(f.Dir); {
	case err != nil:
		e.Source, what = f.Display(f.Dir), "the hooks folder was"
	case len(gone) > 1:
		what = fmt.Sprintf("this file and %d more (%s) were", len(gone)-1, shortList(f, gone[1:]))
	}
	e.Message = fmt.Sprintf("%s there and can't be found any more, or nothing is left in it; hooks that were read from there stay in force for %s, and then they go", what, keep)
	return e
}

// shortList names the first files of a list.
func shortList(f Folder, paths []string) string {
	const most = 3
	var names []string
	for _, p := range paths[:min(len(paths), most)] {
		names = append(names, f.Display(p))
	}
	if len(paths) > most {
		names = append(names, "...")
	}
	return strings.Join(names, ", ")
}

// paths are the files that were read for what they say themselves: those that hooks.yaml
// lists are not among them, as a listed file that is missing is a fault.
func (c *Content) paths() map[string]File {
	all := map[string]File{}
	if c.Text != nil {
		all[c.Path] = File{Source: string(c.Text)}
	}
	for _, f := range c.Scripts {
		all[f.Path] = f
	}
	for _, f := range c.Libraries {
		all[f.Path] = f
	}
	return all
}

// missing lists the files of old that c doesn't have, because they aren't there; back
// tells that one of them is there by now.
func (c *Content) missing(old *Content, asked bool) (gone []string, back bool) {
	if c.Folder.Refused != nil || c.Config.Disabled || old.Config.Disabled || c.used.full {
		return nil, false
	}
	has, known := c.paths(), old.paths()
	maps.DeleteFunc(has, func(path string, f File) bool { // as somebody who writes it begins
		if asked || !isEmpty(f) || isEmpty(known[path]) {
			return false
		}
		gone = append(gone, path)
		return true
	})
	had := map[string]bool{} // sources of scripts that have another name now
	for path, f := range has {
		if _, ok := known[path]; !ok {
			had[f.Source] = true
		}
	}
	for _, h := range c.Hooks {
		has[h.File.Path] = h.File
		had[h.File.Source] = true
	}
	for _, bad := range c.Errors {
		for _, path := range bad.Paths {
			has[path] = File{}
		}
	}
	for path, f := range known {
		if _, ok := has[path]; ok || had[f.Source] || isEmpty(f) || slices.Contains(gone, path) {
			continue
		}
		switch _, err := os.Lstat(path); {
		case errors.Is(err, fs.ErrNotExist):
			gone = append(gone, path)
		case err == nil && !c.isMeta(path):
			gone, back = append(gone, path), true
		}
	}
	slices.Sort(gone)
	return gone, back
}

// isEmpty reports whether a script or a hooks.yaml says nothing, but for comments and the head.
func isEmpty(f File) bool {
	for line := range strings.Lines(f.Source) {
		line = strings.TrimSpace(line)
		if line != "" && line != "hooks:" && !strings.HasPrefix(line, "--") && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// isMeta reports whether a script that isn't loaded has become a file of definitions.
func (c *Content) isMeta(path string) bool {
	text, err := c.Folder.readFile(path, maxFolderBytes)
	return err == nil && isMeta(string(text))
}

// keepFiles takes files of old over.
func (c *Content) keepFiles(old *Content, gone []string) {
	kept := func(f File) bool { return slices.Contains(gone, f.Path) }
	c.Scripts = slices.DeleteFunc(slices.Clone(c.Scripts), kept) // what is empty now
	c.Libraries = maps.Clone(c.Libraries)
	for name, f := range old.Libraries {
		if kept(f) {
			c.Libraries[name] = f
		}
	}
	for _, f := range old.Scripts {
		if kept(f) {
			c.Scripts = append(c.Scripts, f)
		}
	}
	slices.SortFunc(c.Scripts, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	if slices.Contains(gone, old.Path) {
		c.Text, c.Config, c.Hooks = old.Text, old.Config, old.Hooks
		c.Scripts = slices.DeleteFunc(c.Scripts, func(f File) bool {
			return slices.ContainsFunc(c.Hooks, func(h *Hook) bool { return h.Script != "" && h.File.Path == f.Path })
		})
	}
	c.Kept, c.PinnedRoot = true, old.PinnedRoot
}
