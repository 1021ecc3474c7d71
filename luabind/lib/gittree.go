package lib

import (
	"context"
	"os"
	"strings"

	"github.com/luahook/luahook/luabind"
)

// maxTreeNames bounds the names of files that a tree is made of: some 150,000 files.
const maxTreeNames = 8 << 20 // bytes

func gitTree(c call) int {
	c.needGit()
	o := c.options(1, treeOptions...)
	b := c.treeBounds(o)
	c.within, _ = o.duration("timeout")
	args := []string{"ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard"}
	for _, name := range b.skip {
		args = append(args, "--exclude="+name+"/")
	}
	out, err := c.git(maxTreeNames, args...)
	if err != nil {
		return c.failed(err)
	}
	luabind.Spend(c.LState, 8*strings.Count(out, "\x00"))
	top, err := inProject(c, rootPlace, func(ctx context.Context, root *os.Root, _ string) (*shownNode, error) {
		n := gitNames(out, b.depth+treeChain)
		return n.choose(b, func(path string) string {
			info, err := root.Lstat(path)
			if err != nil || ctx.Err() != nil { // git has it, but it was deleted
				return ""
			}
			return typeName(info.Mode())
		}), ctx.Err()
	})
	if err != nil {
		return c.failed(err)
	}
	return c.giveTree(top, true)
}

// gitNames makes a tree of what git ls-files -z -t prints.
func gitNames(out string, levels int) *treeNode {
	top := &treeNode{kind: "folder"}
	last := ""
	for line := range strings.SplitSeq(out, "\x00") {
		tag, path, ok := strings.Cut(line, " ")
		// S is in no sparse checkout; of a conflict a file is there more than once.
		if !ok || tag == "S" || path == last {
			continue
		}
		last = path
		top.add(strings.TrimSuffix(path, "/"), levels) // a repository in this one has a slash
	}
	return top
}
