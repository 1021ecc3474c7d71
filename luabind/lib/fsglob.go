package lib

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// Bounds of fs.glob.
const (
	maxVisited    = 50_000
	maxFoundBytes = 4 << 20 // of the paths found, and of those of folders still to be looked into
	maxFolders    = 100     // levels
)

// globFiles walks through the project. Its patterns are those of path.match, so that
// what is true there is found here.
func (m *matchers) globFiles(c call) int {
	c.needRead()
	pattern := c.text(1)
	switch {
	case strings.HasPrefix(pattern, "/"), drive(slashed(pattern)) != "":
		c.bad(1, "a pattern that starts at the project's root expected, without a leading slash")
	case hasDotDot(pattern):
		c.bad(1, "the pattern leads out of the project by ..")
	}
	matcher, err := m.matcher(c, pattern)
	if err != nil {
		c.bad(1, strings.TrimPrefix(err.Error(), "match: "))
	}
	p := rootPlace
	p.said = pattern
	// The walk is bounded by what it may visit and find; it is paid for when that is known.
	w, err := inProject(c, p, func(ctx context.Context, root *os.Root, _ string) (*walk, error) {
		w := &walk{root: root, matcher: matcher}
		return w, w.from(ctx, fixedFolder(pattern))
	})
	if w != nil {
		luabind.Spend(c.LState, 4*w.visited)
		c.allocateParts(w.bytes)
	}
	if err != nil {
		return c.failed(err)
	}
	slices.Sort(w.found)
	return c.giveTexts(w.found)
}

// fixedFolder is the folder that everything that matches is in.
func fixedFolder(pattern string) string {
	if strings.Contains(pattern, "|") || !strings.Contains(pattern, "/") {
		return "."
	}
	var fixed []string
	elements := strings.Split(pattern, "/")
	for _, e := range elements[:len(elements)-1] {
		if strings.ContainsAny(e, `*?[]{}\`) {
			break
		}
		fixed = append(fixed, e)
	}
	return cleanBelow(strings.Join(fixed, "/"))
}

type walk struct {
	root    *os.Root
	matcher *hooks.Matcher
	visited int
	bytes   int
	found   []string
}

// from looks through a folder and those below it.
func (w *walk) from(ctx context.Context, dir string) error {
	if err := w.onlyFolders(dir); err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotFolder) {
			return nil
		}
		return err
	}
	todo := []string{dir}
	for len(todo) > 0 {
		dir := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		err := eachEntry(ctx, w.root, dir, func(e fs.DirEntry) error {
			name := join(dir, e.Name())
			if w.visited++; w.visited > maxVisited {
				return fmt.Errorf("it would look at more than %d files and folders; begin the pattern with a folder", maxVisited)
			}
			if e.IsDir() {
				if e.Name() == ".git" {
					return nil
				}
				if strings.Count(name, "/") >= maxFolders {
					return fmt.Errorf("folders are nested deeper than %d", maxFolders)
				}
				todo = append(todo, name)
				return w.take(len(name))
			}
			if !w.matches(name) {
				return nil
			}
			if w.found = append(w.found, name); len(w.found) > maxEntries {
				return fmt.Errorf("more than %d files match", maxEntries)
			}
			return w.take(len(name))
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a folder may go meanwhile
			return fmt.Errorf("in %s: %w", cut(dir, 200), cause(err))
		}
	}
	return nil
}

// onlyFolders looks whether there are no links on the way: what they lead to has
// another path.
func (w *walk) onlyFolders(dir string) error {
	for at := dir; at != "."; at = path.Dir(at) {
		info, err := w.root.Lstat(at)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fs.ErrNotExist
		}
	}
	return nil
}

func (w *walk) take(length int) error {
	if w.bytes += length + itemBytes; w.bytes > maxFoundBytes {
		return errors.New("the paths take too much room; begin the pattern with a folder")
	}
	return nil
}

func (w *walk) matches(name string) bool {
	return w.matcher.MatchFile(name, "")
}
