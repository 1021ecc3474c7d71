package engine

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

// vanished is since when which files of one folder are gone. It belongs to one goroutine.
type vanished map[string]time.Time

// readAgain reads a folder that old was read from before; nil: never. What was there and is
// gone stays in it for the time of keep. gone is the error that says so, or nil; sum is a hash
// of what is there; until is when the first of what is gone goes. asked: somebody who knows
// that the files are whole wants it.
func (f folder) readAgain(l *loading, old *folderContent, v vanished, keep time.Duration, asked bool) (c *folderContent, sum string, gone *hooks.Error, until time.Time) {
	c = f.read(l)
	if old == nil {
		return c, c.sum(), nil, until
	}
	const rounds = 4 // files may come back while the folder is being read
	for range rounds {
		if _, back := c.without(old, asked); !back {
			break
		}
		c = f.read(l)
	}
	paths, _ := c.without(old, asked)
	sum = c.sum()
	if paths = v.within(paths, keep); len(paths) > 0 {
		c.keep(old, paths)
		gone = f.isGone(paths, keep)
	}
	return c, sum, gone, v.first(paths, keep)
}

// within notes what is gone, and leaves of that what isn't gone for longer than it stays.
func (v vanished) within(gone []string, keep time.Duration) []string {
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
func (v vanished) first(gone []string, keep time.Duration) (first time.Time) {
	for _, path := range gone {
		first = earlier(first, v[path].Add(keep))
	}
	return first
}

// earlier is the first of two times; zero is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}

// isGone is the error of files that are gone.
func (f folder) isGone(gone []string, keep time.Duration) *hooks.Error {
	e := &hooks.Error{Kind: hooks.KindLoad, Source: f.display(gone[0])}
	what := "this file was"
	switch _, err := os.Lstat(f.dir); {
	case err != nil:
		e.Source, what = f.display(f.dir), "the hooks folder was"
	case len(gone) > 1:
		what = fmt.Sprintf("this file and %d more (%s) were", len(gone)-1, shortList(f, gone[1:]))
	}
	e.Message = fmt.Sprintf("%s there and can't be found any more, or nothing is left in it; hooks that were read from there stay in force for %s, and then they go", what, keep)
	return e
}

// shortList names the first files of a list.
func shortList(f folder, paths []string) string {
	const most = 3
	var names []string
	for _, p := range paths[:min(len(paths), most)] {
		names = append(names, f.display(p))
	}
	if len(paths) > most {
		names = append(names, "...")
	}
	return strings.Join(names, ", ")
}

// paths are the files that were read for what they say themselves: those that hooks.yaml
// lists are not among them, as a listed file that is missing is a fault.
func (c *folderContent) paths() map[string]file {
	all := map[string]file{}
	if c.text != nil {
		all[c.path] = file{source: string(c.text)}
	}
	for _, f := range c.scripts {
		all[f.path] = f
	}
	for _, f := range c.libraries {
		all[f.path] = f
	}
	return all
}

// without lists the files of old that c doesn't have, because they aren't there; back
// tells that one of them is there by now.
func (c *folderContent) without(old *folderContent, asked bool) (gone []string, back bool) {
	if c.folder.refused != nil || c.config.Disabled || old.config.Disabled || c.room.full {
		return nil, false
	}
	has, known := c.paths(), old.paths()
	maps.DeleteFunc(has, func(path string, f file) bool { // as somebody who writes it begins
		if asked || !isEmpty(f) || isEmpty(known[path]) {
			return false
		}
		gone = append(gone, path)
		return true
	})
	had := map[string]bool{} // sources of scripts that have another name now
	for path, f := range has {
		if _, ok := known[path]; !ok {
			had[f.source] = true
		}
	}
	for _, h := range c.listed {
		has[h.file.path] = h.file
		had[h.file.source] = true
	}
	for _, bad := range c.faults {
		for _, path := range bad.paths {
			has[path] = file{}
		}
	}
	for path, f := range known {
		if _, ok := has[path]; ok || had[f.source] || isEmpty(f) || slices.Contains(gone, path) {
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

// isEmpty tells whether a script or a hooks.yaml says nothing, but for comments and the head.
func isEmpty(f file) bool {
	for line := range strings.Lines(f.source) {
		line = strings.TrimSpace(line)
		if line != "" && line != "hooks:" && !strings.HasPrefix(line, "--") && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// isMeta tells whether a script that isn't loaded has become a file of definitions.
func (c *folderContent) isMeta(path string) bool {
	text, err := c.folder.readFile(path, maxFolderBytes)
	return err == nil && isMeta(string(text))
}

// keep takes files of old over.
func (c *folderContent) keep(old *folderContent, gone []string) {
	kept := func(f file) bool { return slices.Contains(gone, f.path) }
	c.scripts = slices.DeleteFunc(slices.Clone(c.scripts), kept) // what is empty now
	c.libraries = maps.Clone(c.libraries)
	for name, f := range old.libraries {
		if kept(f) {
			c.libraries[name] = f
		}
	}
	for _, f := range old.scripts {
		if kept(f) {
			c.scripts = append(c.scripts, f)
		}
	}
	slices.SortFunc(c.scripts, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	if slices.Contains(gone, old.path) {
		c.text, c.config, c.listed = old.text, old.config, old.listed
		c.scripts = slices.DeleteFunc(c.scripts, func(f file) bool {
			return slices.ContainsFunc(c.listed, func(h *listedHook) bool { return h.Script != "" && h.file.path == f.path })
		})
	}
	c.kept, c.pinnedRoot = true, old.pinnedRoot
}
