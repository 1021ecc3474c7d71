package lib

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func pathModule(matchers *matchers) luabind.Module {
	return module("path", "paths as text, with slashes; nothing looks at the file system, so symbolic links are not seen",
		function{
			"join", "(first: string, ...: string): string",
			"the parts with slashes between them, cleaned; empty ones are left out",
			`assert(path.join("src", "../lib", "a.go") == "lib/a.go")`,
			joinPath,
		},
		function{
			"base", "(path: string): string",
			"the last element",
			`assert(path.base("/etc/hosts") == "hosts")`,
			onPath(path.Base),
		},
		function{
			"dir", "(path: string): string",
			"all but the last element, cleaned; . if there is no more",
			`assert(path.dir("/etc/hosts") == "/etc" and path.dir("hosts") == ".")`,
			onPath(dirOf),
		},
		function{
			"ext", "(path: string): string",
			"the part after the last dot of the last element, with the dot; empty if there is none",
			`assert(path.ext("a.tar.gz") == ".gz" and path.ext("Makefile") == "")`,
			onPath(path.Ext),
		},
		function{
			"clean", "(path: string): string",
			"the shortest path of the same meaning, without . and .. and doubled slashes; . for an empty one",
			`assert(path.clean("a//b/../c/.") == "a/c")`,
			onPath(clean),
		},
		function{
			"is_abs", "(path: string): boolean",
			"whether the path begins at the root, / or C:/",
			`assert(path.is_abs("/tmp") and not path.is_abs("tmp"))`,
			func(c call) int {
				return c.give(lua.LBool(isAbs(slashed(c.path(1)))))
			},
		},
		function{
			"abs", "(path: string, base?: string): string",
			"the path from the root on, cleaned. A relative one starts at base, by default the project's folder; give ev.cwd for a path that a command is given. " +
				"One that begins with ~, of which a shell makes a home folder, is only cleaned; it is an error where it leads out of that",
			`assert(path.abs("src/../a.go", "/repo") == "/repo/a.go" and path.abs("/etc//hosts") == "/etc/hosts")
assert(path.abs("~/.ssh/id", "/repo") == "~/.ssh/id")`,
			absPath,
		},
		function{
			"rel", "(base: string, target: string): string",
			"the path that leads from base to target; an error if the texts don't say",
			`assert(path.rel("/a/b", "/a/c/d") == "../c/d")`,
			relPath,
		},
		function{
			"match", "(pattern: string, path: string, root?: string): boolean",
			"whether a glob matches as in match = {path = pattern}: * stops at a slash, ** doesn't, ? is one character, [a-z] a class, {a,b} and a|b alternatives. " +
				"A pattern without a slash matches a file of that name anywhere. A relative pattern, and a relative path, start at root, by default the project's. " +
				"A path that ends with a slash is a folder with everything in it. * and ? in a path stand for the unknown part of a name, as in tool_call.files and cmd:files(); then the result is whether such a file may match. " +
				"Where a match allows something, ask cmd:files() first whether the path is a pattern (glob)",
			`assert(path.match("src/**/*.go", "src/a/b.go") and not path.match("src/*.go", "src/a/b.go"))
assert(path.match("*.go", "a/b.go") and path.match("src/**", "/repo/src/a.go", "/repo"))`,
			matchers.match,
		},
		function{
			"inside", "(root: string, path: string): boolean",
			"whether the path is root or under it, once .. is resolved. A relative path starts at root. " +
				"A path that begins with ~ is never inside, unless root also begins with ~",
			`assert(path.inside("/repo", "src/a.go") and path.inside("/repo", "/repo"))
assert(not path.inside("/repo", "../x") and not path.inside("/repo", "/repository"))`,
			insidePath,
		})
}

func onPath(f func(string) string) func(call) int {
	return func(c call) int {
		return c.giveText(f(slashed(c.path(1))))
	}
}

// maxPathText bounds a path that is worked on. No system has longer ones.
const maxPathText = 64 << 10

// path is a string argument that holds a path. It is charged for as often as it is
// copied, at most: to write it with slashes and to clean it.
func (c call) path(n int) string {
	p := c.text(n)
	if len(p) > maxPathText {
		c.bad(n, "a path of more than 64 KiB")
	}
	luabind.Spend(c.LState, 2+len(p)/2)
	if len(p) > 64 { // less is not worth it
		c.allocate(2 * len(p))
	}
	return p
}

// slashed writes a Windows path with slashes. Elsewhere a backslash is a character
// like any other.
func slashed(p string) string {
	with := strings.ReplaceAll(p, `\`, "/")
	if strings.HasPrefix(p, `\\`) || drive(with) != "" {
		return with
	}
	return p
}

// drive is the C: of C:/ and C:/x, and else empty.
func drive(p string) string {
	if len(p) > 2 && p[1] == ':' && p[2] == '/' && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z' {
		return p[:2]
	}
	return ""
}

func isAbs(p string) bool { return strings.HasPrefix(p, "/") || drive(p) != "" }

// clean is path.Clean behind the drive.
func clean(p string) string {
	d := drive(p)
	return d + path.Clean(p[len(d):])
}

func dirOf(p string) string {
	dir, _ := path.Split(p)
	return clean(dir)
}

func joinPath(c call) int {
	var parts []string
	for n := 1; n <= max(c.GetTop(), 1); n++ {
		if p := c.path(n); p != "" {
			parts = append(parts, slashed(p))
		}
	}
	if len(parts) == 0 {
		return c.giveText("")
	}
	size := 0
	for _, p := range parts {
		size += len(p) + 1
	}
	c.charge(size)
	c.allocate(2 * size)
	return c.giveText(clean(strings.Join(parts, "/")))
}

func absPath(c call) int {
	p := slashed(c.path(1))
	home := strings.HasPrefix(p, "~")
	switch {
	case home && !strings.HasPrefix(clean(p), "~"):
		c.fail("where " + cut(p, 500) + " leads the text doesn't tell: it is out of the home folder")
	case home || isAbs(p):
		return c.giveText(clean(p))
	}
	base := ""
	if c.Get(2) != lua.LNil {
		if base = slashed(c.path(2)); !isAbs(base) {
			c.bad(2, fmt.Sprintf("absolute path expected, got %q", cut(base, 100)))
		}
	} else if base = filepath.ToSlash(luabind.RootOf(c.LState)); base == "" {
		c.fail("there is no project here; name the folder that the path starts in")
	}
	c.charge(len(base) + len(p))
	c.allocate(2 * (len(base) + len(p) + 1))
	return c.giveText(clean(base + "/" + p))
}

func relPath(c call) int {
	base, target := clean(slashed(c.path(1))), clean(slashed(c.path(2)))
	luabind.Spend(c.LState, len(base)+len(target))
	c.allocateParts(12*len(base) + 12*len(target)) // the names in it, each with its place in a list
	if isAbs(base) != isAbs(target) || !strings.EqualFold(drive(base), drive(target)) {
		c.fail("no path leads from " + cut(base, 500) + " to " + cut(target, 500) + " that the texts tell")
	}
	from, to := elements(base[len(drive(base)):]), elements(target[len(drive(target)):])
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	if len(from) > 0 && from[0] == ".." {
		c.fail("no path leads out of " + cut(base, 500) + " that the texts tell")
	}
	up := strings.Split(strings.Repeat("../", len(from)), "/")
	result := strings.Join(append(up[:len(from)], to...), "/")
	if result == "" {
		result = "."
	}
	return c.giveText(result)
}

// elements are the names in a clean path.
func elements(p string) []string {
	if p = strings.Trim(p, "/"); p == "" || p == "." {
		return nil
	}
	return strings.Split(p, "/")
}

func insidePath(c call) int {
	root, p := c.path(1), c.path(2)
	if root == "" {
		c.bad(1, "the root is empty")
	}
	c.allocate(len(root) + len(p))
	sameHost := strings.HasPrefix(root, `\\`) == strings.HasPrefix(p, `\\`) || !isAbs(slashed(p))
	return c.give(lua.LBool(sameHost && inside(slashed(root), slashed(p))))
}

func inside(root, p string) bool {
	root = clean(root)
	// A shell makes the home directory of ~, so it counts as a root of its own.
	home := strings.HasPrefix(p, "~")
	switch {
	case home && !strings.HasPrefix(clean(p), "~"):
		return false
	case home || isAbs(p):
		p = clean(p)
	default:
		p = clean(root + "/" + p)
	}
	if p == root {
		return true
	}
	if root == "." {
		return !isAbs(p) && !home && p != ".." && !strings.HasPrefix(p, "../")
	}
	rest, ok := strings.CutPrefix(p, strings.TrimSuffix(root, "/")+"/")
	return ok && rest != ".." && !strings.HasPrefix(rest, "../")
}

// Bounds of path.match. What it does takes time by the product of both.
const (
	maxGlob     = 1000
	maxPath     = 4 << 10
	maxMatchers = 256

	maxMatchersSize = 4 << 20 // bytes in the cache, as globBytes estimates them
)

// globBytes is about what a compiled pattern takes: each glob of a list becomes a
// program of its own.
func globBytes(pattern string) int {
	return 600*len(pattern) + 5000*(1+strings.Count(pattern, "|"))
}

// matchers is the module's cache of compiled globs, shared by all states that get
// the module.
type matchers struct{ *cache[*hooks.Matcher] }

func newMatchers() *matchers {
	return &matchers{newCache[*hooks.Matcher](maxMatchers, maxMatchersSize)}
}

func (m *matchers) match(c call) int {
	pattern, p, root := c.text(1), c.text(2), c.textOr(3, "")
	if root == "" {
		root = filepath.ToSlash(luabind.RootOf(c.LState))
	}
	if len(p) > maxPath || len(root) > maxPath {
		c.fail("the path is longer than a path can be")
	}
	// The path is looked at as a whole and as seen from the root.
	luabind.Spend(c.LState, 2+(2*len(p)+len(root))*(1+len(pattern)/4)/8)
	c.allocate(300 + 2*(len(p)+len(root)))
	matcher, err := m.matcher(c, pattern)
	if err != nil {
		c.bad(1, strings.TrimPrefix(err.Error(), "match: "))
	}
	luabind.Spend(c.LState, matcher.FileWork(p, root)/8)
	return c.give(lua.LBool(matcher.MatchFile(p, root)))
}

func (m *matchers) matcher(c call, pattern string) (*hooks.Matcher, error) {
	if len(pattern) > maxGlob {
		return nil, errors.New("the pattern is too long")
	}
	if matcher, ok := m.get(pattern); ok {
		return matcher, nil
	}
	if len(pattern) > 2 && strings.HasPrefix(pattern, "/") && strings.HasSuffix(pattern, "/") {
		return nil, errors.New("between slashes stands a regular expression, for which there is re.match; of a folder leave the last slash out")
	}
	luabind.Spend(c.LState, 100+20*len(pattern))
	c.allocate(globBytes(pattern))
	matcher, err := hooks.MatchFields(map[string]string{"path": pattern})
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	m.put(pattern, matcher, globBytes(pattern))
	return matcher, nil
}
