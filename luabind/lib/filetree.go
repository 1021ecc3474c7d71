package lib

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

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
	unseen bool   // a folder that nobody has looked into
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
