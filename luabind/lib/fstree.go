package lib

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/gitignore"
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

// Bounds of the .gitignore files of a walk. What goes over the first two is left out.
const (
	maxIgnoreFile   = 256 << 10 // bytes
	maxIgnoreRules  = 5000      // of all files together
	maxIgnoreChecks = 3_000_000 // how often a path is held against a line of them
)

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
	ignore *gitignore.File
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
		if ignore.Ignores(path, e.Name(), e.IsDir(), &w.checks) {
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
func (w *treeWalk) ignoreOf(ctx context.Context, at treeFolder, entries []fs.DirEntry) *gitignore.File {
	i, found := slices.BinarySearchFunc(entries, ".gitignore", func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
	if !found || !entries[i].Type().IsRegular() {
		return at.ignore
	}
	text, err := readBelow(ctx, w.root, join(at.path, ".gitignore"), maxIgnoreFile, maxIgnoreFile)
	if err != nil {
		return at.ignore
	}
	rules := gitignore.Parse(text, maxIgnoreRules-w.rules)
	w.rules += len(rules)
	if len(rules) == 0 {
		return at.ignore
	}
	return &gitignore.File{Dir: at.path, Rules: rules, Above: at.ignore}
}

// Bounds of trees of files.
const (
	maxTreeEntries = 2000 // of a tree that is given to a script
	maxTreeDepth   = 20
	maxTreeWidth   = 500 // entries of a folder
	maxTreeSkip    = 100 // names
	treeChain      = 12  // levels kept below the last one, for folders that are shown as one
)

// treeBounds say how much of a tree is given.
type treeBounds struct {
	depth, width int
	skip         []string // names of folders
}

var treeOptions = []string{"depth", "entries", "skip", "timeout"}

const treeResult = "{entries: {name: string, type: string, depth: integer, files: integer, more: integer}[], files: integer, more: integer, complete: boolean}|nil, string?"

func (c call) treeBounds(o options) treeBounds {
	b := treeBounds{depth: o.whole("depth", 3, maxTreeDepth), width: o.whole("entries", 50, maxTreeWidth), skip: o.names("skip")}
	for _, name := range b.skip {
		if name == "" || len(name) > 255 || strings.ContainsAny(name, "/\\*?[]!#\x00\n ") {
			c.bad(o.n, fmt.Sprintf("skip: the name of a folder expected, got %q", cut(name, 100)))
		}
	}
	return b
}

// names is a list of texts.
func (o options) names(name string) []string {
	v := o.get(name)
	if v == lua.LNil {
		return nil
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		o.wrong(name, "table", v)
	}
	count := luabind.Length(o.c.LState, t)
	if count > maxTreeSkip {
		o.c.bad(o.n, fmt.Sprintf("%s: at most %d texts expected, got %d", name, maxTreeSkip, count))
	}
	luabind.Spend(o.c.LState, 1+2*count)
	o.c.allocateParts(16 * count)
	list := make([]string, 0, count)
	for i := 1; i <= count; i++ {
		s, ok := t.RawGetInt(i).(lua.LString)
		if !ok {
			o.c.bad(o.n, fmt.Sprintf("%s: string expected as item %d, got %s", name, i, t.RawGetInt(i).Type()))
		}
		list = append(list, string(s))
	}
	return list
}

// treeNode is a file or folder of a tree that is being built.
type treeNode struct {
	name   string
	kind   string // file, folder, link or other
	files  int    // in a folder and below it, whatever they are
	unseen bool   // a folder that was not looked into
	in     map[string]*treeNode
}

// child is the node of a name in a folder, a new one where there is none.
func (n *treeNode) child(name, kind string) (at *treeNode, isNew bool) {
	if at, ok := n.in[name]; ok {
		return at, false
	}
	if n.in == nil {
		n.in = map[string]*treeNode{}
	}
	at = &treeNode{name: name, kind: kind}
	n.in[name] = at
	return at, true
}

// add notes a file by its path, and below so many levels only that there is one.
func (n *treeNode) add(path string, levels int) {
	for e := range strings.SplitSeq(path, "/") {
		if e == "" || e == "." || e == ".." {
			return // no path of a file
		}
	}
	for ; ; levels-- {
		n.files++
		name, rest, more := strings.Cut(path, "/")
		if levels == 0 {
			return
		}
		if !more {
			n.child(name, "file")
			return
		}
		n, _ = n.child(name, "folder")
		path = rest
	}
}

// sorted are what is in a folder, folders first, without those that hold nothing.
func (n *treeNode) sorted() []*treeNode {
	list := make([]*treeNode, 0, len(n.in))
	for _, child := range n.in {
		if child.kind != "folder" || child.files > 0 || child.unseen {
			list = append(list, child)
		}
	}
	slices.SortFunc(list, func(a, b *treeNode) int {
		return cmp.Or(foldersFirst(a.kind, b.kind), cmp.Compare(a.name, b.name))
	})
	return list
}

func foldersFirst(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == "folder":
		return -1
	case b == "folder":
		return 1
	}
	return 0
}

// shownNode is an entry of the tree that a script gets.
type shownNode struct {
	*treeNode
	name  string // that of a folder with nothing but a folder has both
	path  string
	depth int
	more  int
	in    []*shownNode
	above *shownNode
}

// without takes files that turn out not to be there from the counts of the folders above.
func (s *shownNode) without(files int) {
	for ; s != nil; s = s.above {
		s.files -= files
	}
}

// choose takes of the tree what the bounds let, level by level, so that what is near the
// root comes first. look, if any, tells what a path is, "" where it is nothing.
func (n *treeNode) choose(b treeBounds, look func(path string) (kind string)) *shownNode {
	top := &shownNode{treeNode: n}
	total := 0
	for todo := []*shownNode{top}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		list := at.sorted()
		for i, child := range list {
			if len(at.in) == b.width || total == maxTreeEntries {
				at.more = len(list) - i
				break
			}
			s := &shownNode{treeNode: child, name: child.name, depth: at.depth + 1, above: at}
			for s.kind == "folder" && len(s.treeNode.in) == 1 {
				only := s.treeNode.sorted()
				if len(only) != 1 || only[0].kind != "folder" {
					break
				}
				s.treeNode = only[0]
				s.name += "/" + only[0].name
			}
			s.path = strings.TrimPrefix(at.path+"/"+s.name, "/")
			if look != nil {
				kind := look(s.path)
				if kind == "" || (kind == "folder") != (s.kind == "folder") { // it is gone, or is a submodule, which git lists as a file
					at.without(max(s.files, 1))
				}
				if kind != s.kind {
					s.treeNode = &treeNode{kind: kind}
				}
				if kind == "" {
					continue
				}
			}
			at.in = append(at.in, s)
			total++
			if s.depth < b.depth && s.kind == "folder" {
				todo = append(todo, s)
			}
		}
		slices.SortStableFunc(at.in, func(a, b *shownNode) int { return foldersFirst(a.kind, b.kind) }) // with those that look has found
	}
	return top
}

// giveTree returns a tree.
func (c call) giveTree(top *shownNode, complete bool) int {
	var list []*shownNode
	var flatten func(at *shownNode)
	flatten = func(at *shownNode) {
		for _, s := range at.in {
			list = append(list, s)
			flatten(s)
		}
	}
	flatten(top)
	meter := luabind.Meter{L: c.LState}
	entries := c.list(len(list))
	for _, s := range list {
		meter.Add(16, entryBytes+len(s.name))
		t := c.CreateTable(0, 5)
		t.RawSetString("name", lua.LString(s.name))
		t.RawSetString("type", lua.LString(s.kind))
		t.RawSetString("depth", lua.LNumber(s.depth))
		t.RawSetString("files", lua.LNumber(s.files))
		t.RawSetString("more", lua.LNumber(s.more))
		entries.Append(t)
	}
	meter.Flush()
	t := c.object(4)
	t.RawSetString("entries", entries)
	t.RawSetString("files", lua.LNumber(top.files))
	t.RawSetString("more", lua.LNumber(top.more))
	t.RawSetString("complete", lua.LBool(complete))
	return c.give(t)
}
