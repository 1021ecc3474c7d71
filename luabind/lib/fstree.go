package lib

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/luabind"
)

// maxIgnoreChecks bounds how often a path is held against a line of a .gitignore.
const maxIgnoreChecks = 3_000_000

// folderTree walks through the project, level by level, as git would that had no
// configuration.
func folderTree(c call) int {
	c.needRead()
	o := c.options(1, treeOptions...)
	b := c.treeBounds(o)
	w := &treeWalk{bounds: b, top: &treeNode{kind: "folder"}}
	if within, given := o.duration("timeout"); given {
		w.until = time.Now().Add(within)
	}
	top, err := inProject(c, rootPlace, func(ctx context.Context, root *os.Root, _ string) (*shownNode, error) {
		w.root = root
		if err := w.all(ctx); err != nil {
			return nil, err
		}
		return w.top.choose(b, nil), nil
	})
	luabind.Spend(c.LState, 4*w.visited+w.checks/16)
	c.allocateParts(itemBytes * w.visited)
	if err != nil {
		return c.failed(err)
	}
	return c.giveTree(top, !w.stopped)
}

type treeWalk struct {
	root    *os.Root
	bounds  treeBounds
	top     *treeNode
	todo    []treeFolder
	until   time.Time // zero: as long as the run has
	visited int
	checks  int
	rules   int
	stopped bool // it has not seen everything
}

// treeFolder is a folder that is still to be looked into.
type treeFolder struct {
	path   string
	nodes  []*treeNode // from the root down to it, or to the last level that is kept
	levels int         // that are kept below
	ignore *ignoreFile
}

func (w *treeWalk) all(ctx context.Context) error {
	w.todo = []treeFolder{{path: ".", nodes: []*treeNode{w.top}, levels: w.bounds.depth + treeChain}}
	for len(w.todo) > 0 && !w.stopped {
		if !w.until.IsZero() && time.Now().After(w.until) {
			w.stopped = true
			break
		}
		at := w.todo[0]
		w.todo = w.todo[1:]
		if err := w.folder(ctx, at); err != nil {
			return err
		}
	}
	return nil
}

func (w *treeWalk) folder(ctx context.Context, at treeFolder) error {
	var entries []fs.DirEntry
	err := eachEntry(ctx, w.root, at.path, func(e fs.DirEntry) error {
		if w.visited++; w.visited > maxVisited {
			w.stopped = true
			return errWalkedEnough
		}
		entries = append(entries, e)
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errWalkedEnough):
	case err != nil && at.path == ".":
		return err
	case err != nil: // it may have gone, or isn't for us
		return nil
	}
	here := at.nodes[len(at.nodes)-1]
	here.unseen = false
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	ignore := w.ignoreOf(ctx, at, entries)
	for _, e := range entries {
		if e.IsDir() && (e.Name() == ".git" || slices.Contains(w.bounds.skip, e.Name())) {
			continue
		}
		path := join(at.path, e.Name())
		if ignore.ignores(path, e.Name(), e.IsDir(), &w.checks) {
			continue
		}
		if w.checks > maxIgnoreChecks {
			return errors.New("the .gitignore files have too many patterns for so many files")
		}
		if !e.IsDir() {
			for _, n := range at.nodes {
				n.files++
			}
		}
		next := treeFolder{path: path, nodes: at.nodes, ignore: ignore}
		if at.levels > 0 {
			child, _ := here.child(e.Name(), typeName(e.Type()))
			child.unseen = e.IsDir()
			next.nodes, next.levels = append(slices.Clip(at.nodes), child), at.levels-1
		}
		if e.IsDir() && strings.Count(path, "/") < maxFolders {
			w.todo = append(w.todo, next)
		}
	}
	return nil
}

var errWalkedEnough = errors.New("more than is looked at")

// ignoreOf reads the .gitignore of a folder. As git does, it follows no link to one and
// goes on without one that it can't read.
func (w *treeWalk) ignoreOf(ctx context.Context, at treeFolder, entries []fs.DirEntry) *ignoreFile {
	i, found := slices.BinarySearchFunc(entries, ".gitignore", func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
	if !found || !entries[i].Type().IsRegular() {
		return at.ignore
	}
	text, err := readBelow(ctx, w.root, join(at.path, ".gitignore"), maxIgnoreFile, maxIgnoreFile)
	if err != nil {
		return at.ignore
	}
	rules := parseIgnore(text, maxIgnoreRules-w.rules)
	w.rules += len(rules)
	if len(rules) == 0 {
		return at.ignore
	}
	return &ignoreFile{dir: at.path, rules: rules, above: at.ignore}
}
