package lib

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

// Bounds of git.
const (
	maxDiff      = 8 << 20 // bytes
	defaultDiff  = 1 << 20
	maxListBytes = 2 << 20 // what git may say where a list is made of it
	maxCommits   = 1000
)

func gitModule() luabind.Module {
	return module("git", "facts of the project's repository, read with the git program, which runs nothing that the repository configures (no hooks, filters, external diffs, network). "+
		"Paths start at the project's root, and everything outside of it is left out. If git doesn't know, the result is nil and a message",
		function{
			"branch", "(): string|nil, string?",
			"the branch that is checked out; nil and a message if there is none",
			`assert(git.branch() == "main")`,
			standIn(false, gitBranch),
		},
		function{
			"head", "(): string|nil, string?",
			"the hash of the commit that is checked out",
			`assert(#git.head() == 40)`,
			standIn(false, gitHead),
		},
		function{
			"root", "(): string|nil, string?",
			"the folder of the repository: the project's root or one above it",
			`assert(path.is_abs(git.root()))`,
			standIn(false, gitRoot),
		},
		function{
			"status", "(options?: {folders: boolean, timeout: string}): {path: string, index: string, worktree: string}[]|nil, string?",
			"files that differ from the last commit, as git status --porcelain reports them: index and worktree are M, A, D, T, U, ? or a blank. " +
				"Untracked files are among them, ignored ones aren't. A renamed file is deleted and added. It may report a file with a filter (LFS) as changed. " +
				"folders: an untracked folder is one entry, with a slash at its end. It gives nil and a message after timeout, if given",
			`for _, file in ipairs(git.status()) do assert(file.path == "notes.txt" and file.index == "?" and file.worktree == "?") end`,
			standIn(false, gitStatus),
		},
		function{
			"changed", "(base?: string): string[]|nil, string?",
			"names of the files that differ from a commit, or from the last one, sorted; deleted and untracked ones are among them",
			`assert(table.concat(git.changed(), " ") == "notes.txt")
assert(table.concat(git.changed("HEAD"), " ") == "notes.txt")`,
			standIn(false, gitChanged),
		},
		function{
			"diff", "(options?: {staged: boolean, path: string, base: string, max: integer}): string|nil, string?",
			"a patch of what differs from the index, or from the commit base; staged: what differs between the index and the last commit or base. " +
				"It gives nil and a message if the patch is longer than max bytes (1 MiB by default, at most 8 MiB)",
			`assert(git.diff() == "" and git.diff({ staged = true, path = "go.mod" }) == "")`,
			standIn(false, gitDiff),
		},
		function{
			"log", "(options?: {n: integer, path: string, timeout: string}): {hash: string, author: string, date: string, subject: string}[]|nil, string?",
			"the latest n commits (20 by default, at most 1,000), or those of them that concern a path; date is RFC 3339. " +
				"It gives nil and a message after timeout, if given",
			`local commits = git.log({ n = 1 })
assert(#commits == 1 and commits[1].subject == "first" and commits[1].hash == git.head())`,
			standIn(false, gitLog),
		},
		function{
			"tracked", "(path: string): boolean",
			"whether git tracks a file, or any in a folder; an error if git doesn't know",
			`assert(git.tracked("go.mod") and not git.tracked("notes.txt"))`,
			standIn(true, gitTracked),
		},
		function{
			"tree", "(options?: {depth: integer, entries: integer, skip: string[], timeout: string}): " + treeResult,
			"the folders and files of the project that git tracks or would add, as fs.tree gives them; skip names folders to leave out unless they are tracked. " +
				"It gives nil and a message if their names are more than 8 MiB, and after timeout, if given",
			`local names = {}
for _, entry in ipairs(git.tree({ depth = 1 }).entries) do names[#names + 1] = entry.name end
assert(table.concat(names, " ") == "src go.mod notes.txt")`,
			standIn(false, gitTree),
		},
		function{
			"remote", "(name?: string): string|nil, string?",
			"the address of a remote (origin), without the user and password in it; nil and a message if there is none",
			`assert(git.remote() == "https://github.com/example/project.git")`,
			standIn(false, gitRemote),
		})
}

func (c call) needGit() { c.need(luabind.GrantsOf(c.LState).Git, "git: true") }

func gitBranch(c call) int {
	c.needGit()
	out, err := c.git(4<<10, "symbolic-ref", "--quiet", "HEAD")
	if err != nil {
		if errors.Is(err, errNo) {
			err = errors.New("no branch is checked out (HEAD is detached)")
		}
		return c.failed(err)
	}
	return c.giveText(strings.TrimPrefix(strings.TrimSuffix(out, "\n"), "refs/heads/"))
}

func gitHead(c call) int {
	c.needGit()
	hash, err := c.commit("HEAD")
	if err != nil {
		return c.failed(err)
	}
	return c.giveText(hash)
}

// commit is the hash of what a script names, which thereby is no option of git.
func (c call) commit(name string) (string, error) {
	out, err := c.git(4<<10, "rev-parse", "--verify", "--quiet", name+"^{commit}")
	if errors.Is(err, errNo) {
		return "", fmt.Errorf("there is no commit %s", cut(name, 200))
	}
	hash := strings.TrimSuffix(out, "\n")
	if err == nil && strings.Trim(hash, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%s is no commit", cut(name, 200))
	}
	return hash, err
}

// checkRevision refuses what could be read as something else than the name of a commit.
func checkRevision(name string) error {
	if name == "" || len(name) > 1000 || name[0] == '-' || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("the name of a commit expected, got %q", cut(name, 200))
	}
	return nil
}

func gitRoot(c call) int {
	c.needGit()
	top, err := c.repository()
	if err != nil {
		return c.failed(err)
	}
	return c.giveText(top.dir)
}

func gitStatus(c call) int {
	c.needGit()
	o := c.options(1, "folders", "timeout")
	c.within, _ = o.duration("timeout")
	untracked := "all"
	if o.flag("folders") {
		untracked = "normal"
	}
	entries, err := c.status(untracked)
	if err != nil {
		return c.failed(err)
	}
	meter := luabind.Meter{L: c.LState}
	list := c.list(len(entries))
	for _, e := range entries {
		meter.Add(12, entryBytes+len(e.path))
		t := c.CreateTable(0, 3)
		t.RawSetString("path", lua.LString(e.path))
		t.RawSetString("index", lua.LString(e.index))
		t.RawSetString("worktree", lua.LString(e.worktree))
		list.Append(t)
	}
	meter.Flush()
	return c.give(list)
}

func gitChanged(c call) int {
	c.needGit()
	base := c.textOr(1, "HEAD")
	if err := checkRevision(base); err != nil {
		c.bad(1, err.Error())
	}
	// What is untracked, and where there is no commit yet everything, status knows.
	entries, err := c.status("all")
	if err != nil {
		return c.failed(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		if e.index == "?" || base == "HEAD" {
			names[e.path] = true
		}
	}
	if base != "HEAD" {
		hash, err := c.commit(base)
		if err != nil {
			return c.failed(err)
		}
		out, err := c.git(maxListBytes, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--relative", hash, "--", ".")
		if err != nil {
			return c.failed(err)
		}
		for name := range strings.SplitSeq(out, "\x00") {
			if name != "" {
				names[name] = true
			}
		}
	}
	return c.giveTexts(slices.Sorted(maps.Keys(names)))
}

func gitDiff(c call) int {
	c.needGit()
	o := c.options(1, "staged", "path", "base", "max")
	most := o.whole("max", defaultDiff, maxDiff)
	args := []string{"diff", "--patch", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=dirty", "--submodule=short", "-O/dev/null",
		"--src-prefix=a/", "--dst-prefix=b/", "--relative"}
	if o.flag("staged") {
		args = append(args, "--cached")
	}
	if base, given := o.text("base"); given {
		if err := checkRevision(base); err != nil {
			c.bad(1, "base: "+err.Error())
		}
		hash, err := c.commit(base)
		if err != nil {
			return c.failed(err)
		}
		args = append(args, hash)
	}
	out, err := c.git(most, append(args, "--", c.pathOption(o))...)
	if err != nil {
		return c.failed(err)
	}
	return c.giveText(out)
}

// pathOption is the option path, or the project.
func (c call) pathOption(o options) string {
	p, given := o.text("path")
	if !given {
		return "."
	}
	at, err := placeOf(c.root(), p)
	if err == nil && at.abs != "" {
		err = fmt.Errorf("%q is outside of the project", cut(p, 200))
	}
	if err != nil {
		c.bad(o.n, "path: "+err.Error())
	}
	return at.name
}

func gitLog(c call) int {
	c.needGit()
	o := c.options(1, "n", "path", "timeout")
	n := o.whole("n", 20, maxCommits)
	c.within, _ = o.duration("timeout")
	top, err := c.repository()
	if err != nil {
		return c.failed(err)
	}
	args := []string{"log", "-z", "--max-count=" + strconv.Itoa(n), "--format=%H%n%an%n%aI%n%s", "--encoding=UTF-8", "--no-patch", "--no-color", "--no-decorate",
		"--no-show-signature", "--no-notes", "--no-ext-diff", "--no-textconv", "HEAD", "--"}
	if p := c.pathOption(o); p != "." || top.prefix != "" { // of a path git leaves merges out
		args = append(args, p)
	}
	out, err := c.git(maxListBytes, args...)
	if err != nil {
		return c.failed(err)
	}
	meter := luabind.Meter{L: c.LState}
	list := c.list(n)
	for entry := range strings.SplitSeq(out, "\x00") {
		fields := strings.SplitN(strings.TrimSuffix(entry, "\n"), "\n", 4)
		if len(fields) < 4 {
			continue // behind the last one
		}
		meter.Add(16, entryBytes+len(entry))
		t := c.CreateTable(0, 4)
		for i, key := range []string{"hash", "author", "date", "subject"} {
			t.RawSetString(key, lua.LString(fields[i]))
		}
		list.Append(t)
	}
	meter.Flush()
	return c.give(list)
}

func gitTracked(c call) int {
	c.needGit()
	p := c.place(1)
	if p.abs != "" {
		c.bad(1, fmt.Sprintf("%q is outside of the project", cut(p.said, 200)))
	}
	// More than one file of a folder needn't be known.
	out, _, err := c.gitCut(maxFilePath+1, "ls-files", "-z", "--", p.name)
	c.raised(err)
	return c.give(lua.LBool(out != ""))
}

func gitRemote(c call) int {
	c.needGit()
	name := c.textOr(1, "origin")
	if name == "" || len(name) > 200 || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		c.bad(1, "the name of a remote expected")
	}
	out, err := c.git(64<<10, "config", "--null", "--get", "remote."+name+".url")
	if errors.Is(err, errNo) {
		err = fmt.Errorf("there is no remote %s", name)
	}
	if err != nil {
		return c.failed(err)
	}
	return c.giveText(withoutCredentials(strings.TrimSuffix(out, "\x00")))
}

// withoutCredentials takes user, password and parameters out of an address. A user of
// ssh stays: it is a part of the address.
func withoutCredentials(address string) string {
	scheme, rest, is := strings.Cut(address, "://")
	if !is {
		return address // a path, or user@host:path
	}
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" {
		rest = rest[strings.LastIndex(rest, "@")+1:]
		if end := strings.IndexAny(rest, "?#"); end >= 0 {
			rest = rest[:end]
		}
		return scheme + "://" + rest
	}
	if u.User != nil && strings.Contains(u.Scheme, "ssh") {
		u.User = url.User(u.User.Username())
	} else {
		u.User = nil
	}
	u.RawQuery, u.Fragment, u.ForceQuery = "", "", false
	return u.String()
}

type statusEntry struct{ path, index, worktree string }

// status asks git. Untracked folders are one entry each where untracked is "normal", and
// with "all" the files in them.
func (c call) status(untracked string) ([]statusEntry, error) {
	top, err := c.repository()
	if err != nil {
		return nil, err
	}
	out, err := c.git(maxListBytes, "status", "--porcelain=v1", "-z", "--untracked-files="+untracked, "--ignored=no", "--no-renames", "--no-ahead-behind", "--ignore-submodules=dirty", "--", ".")
	if err != nil {
		return nil, err
	}
	return parseStatus(out, top.prefix)
}

// parseStatus reads what git status -z prints, whose paths start at the repository.
func parseStatus(out, prefix string) ([]statusEntry, error) {
	var list []statusEntry
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if out == "" {
			break
		}
		if len(line) < 4 || line[2] != ' ' {
			return nil, fmt.Errorf("git status says %q, which isn't understood", cut(line, 100))
		}
		if name, inside := strings.CutPrefix(line[3:], prefix); inside {
			list = append(list, statusEntry{name, line[:1], line[1:2]})
		}
	}
	return list, nil
}

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
