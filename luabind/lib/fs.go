package lib

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/userhome"
	"github.com/luahook/luahook/luabind"
)

// Bounds of fs.
const (
	maxRead     = 16 << 20 // bytes
	defaultRead = 1 << 20
	maxEntries  = 10_000 // of a list
	entryBytes  = 300    // about what the table of an entry takes
)

func fsModule() luabind.Module {
	return module("fs", "files of the project, with fs.read and fs.write granted (each for itself); a path starts at the project's root or is absolute and below it; "+
		"a path that leads out, by .. or a link, is an error; where a file can't be used the result is nil and a message",
		function{
			"read", "(path: string, options?: {max: integer}): string|nil, string?",
			"what a file holds; nil and a message where it can't be read or is longer than max bytes (1 MiB, or what you say, up to 16 MiB)",
			`local text, problem = fs.read("go.mod")
assert(text, problem)
assert(fs.read("no/such/file") == nil)`,
			readFile,
		},
		function{
			"exists", "(path: string): boolean",
			"whether there is a file or folder; a link counts if it leads to one; an error where that can't be told",
			`assert(fs.exists("go.mod") and not fs.exists("no/such/file"))`,
			fileExists,
		},
		function{
			"stat", "(path: string): {type: string, size: integer, mtime: number, mode: string}|nil, string?",
			"what a path leads to: type is file, folder or other, size in bytes, mtime in seconds since 1970, mode like 0644; nil and a message where there is nothing",
			`assert(fs.stat("go.mod").type == "file" and fs.stat(".").type == "folder")`,
			statFile,
		},
		function{
			"real", "(path: string): string|nil, string?",
			"the path from the root to what a path leads to, with its links followed; nil and a message where there is nothing",
			`assert(fs.real("src/main.go") == "src/main.go")`,
			realPath,
		},
		function{
			"list", "(path?: string): {name: string, type: string}[]|nil, string?",
			"what is in a folder, or in the root, by name; type is file, folder, link or other; nil and a message where that can't be read or is more than 10,000",
			`local names = {}
for _, entry in ipairs(fs.list("src")) do names[#names + 1] = entry.name end
assert(table.concat(names, " ") == "lib main.go")`,
			listFolder,
		},
		function{
			"glob", "(pattern: string): string[]|nil, string?",
			"paths of files and links below the root that match, sorted; the pattern is that of path.match; it follows no links and looks into no .git; nil and a message where it would look at more than 50,000 entries or find more than 10,000",
			`assert(table.concat(fs.glob("src/**/*.go"), " ") == "src/lib/a.go src/main.go")`,
			newMatchers().globFiles,
		},
		function{
			"tree", "(options?: {depth: integer, entries: integer, skip: string[], timeout: string}): " + treeResult,
			"the project's folders and files without what its .gitignore files name: 3 levels, or depth, up to 20; 50 entries of a folder, or entries, up to 500; 2,000 in all, those near the root first; skip names folders that are left out; " +
				"entries stand as in a listing, folders first, each under the folder that it is in; type is file, folder, link or other; a folder with nothing but a folder in it is one entry, a/b; files is how many there are in a folder and below it, 0 where nobody has looked, more how many of its entries are left out; " +
				"complete is false where there are more than 50,000 files and folders, or the timeout was over; it follows no links and looks into no .git",
			`local tree = fs.tree({ depth = 1 })
assert(tree.entries[1].name == "src" and tree.entries[1].files == 2 and tree.complete)`,
			folderTree,
		},
		function{
			"write", "(path: string, text: string): boolean|nil, string?",
			"makes the text what a file holds, at once for whoever reads it; a new file has the mode 0644, less the umask, others keep theirs; nothing in .git, .hooks, hooks.yaml or the settings of agents, and nothing by way of a link",
			`assert(fs.write("out.txt", "hello\n"))
assert(fs.read("out.txt") == "hello\n")`,
			writeFile,
		},
		function{
			"append", "(path: string, text: string): boolean|nil, string?",
			"adds the text at the end of a file, which is made where there is none; up to 64 MiB; not to a file that has a second name; else as fs.write",
			`assert(fs.append("log.txt", "one\n") and fs.append("log.txt", "two\n"))
assert(fs.read("log.txt") == "one\ntwo\n")`,
			appendFile,
		},
		function{
			"mkdir", "(path: string): boolean|nil, string?",
			"makes a folder and those above it, where they aren't there; else as fs.write",
			`assert(fs.mkdir("build/reports") and fs.exists("build/reports"))`,
			makeFolder,
		},
		function{
			"remove", "(path: string): boolean|nil, string?",
			"deletes a file, a link or an empty folder; else as fs.write",
			`assert(fs.write("out.txt", "x") and fs.remove("out.txt"))
assert(not fs.exists("out.txt"))`,
			removeFile,
		})
}

// inProject calls f with the project's folder and the place of a path in it, where
// a file system that doesn't answer can't hold up the run.
func inProject[T any](c call, p place, f func(ctx context.Context, root *os.Root, name string) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	dir := c.root()
	r := luabind.Wait(c.LState, c.module+"."+c.name, func(ctx context.Context) (r result) {
		name, err := p.below(dir)
		if err != nil {
			return result{err: err}
		}
		root, err := openfile.Root(dir)
		if err != nil {
			return result{err: fmt.Errorf("the project's root can't be opened: %w", err)}
		}
		defer func() { _ = root.Close() }()
		r.value, r.err = f(ctx, root, name)
		return r
	})
	return r.value, p.named(r.err)
}

func (c call) needRead()  { c.need(luabind.GrantsOf(c.LState).FSRead, "fs.read: true") }
func (c call) needWrite() { c.need(luabind.GrantsOf(c.LState).FSWrite, "fs.write: true") }

func readFile(c call) int {
	c.needRead()
	p, most := c.place(1), c.options(2, "max").whole("max", defaultRead, maxRead)
	size, err := inProject(c, p, func(_ context.Context, root *os.Root, name string) (int, error) {
		info, err := root.Stat(name)
		if err != nil {
			return 0, err
		}
		return sizeToRead(info, most)
	})
	if err != nil {
		return c.failed(err)
	}
	c.charge(size)
	c.allocate(size)
	text, err := inProject(c, p, func(ctx context.Context, root *os.Root, name string) (string, error) {
		return readBelow(ctx, root, name, size, most)
	})
	if err != nil {
		return c.failed(err)
	}
	return c.giveText(text)
}

func sizeToRead(info fs.FileInfo, most int) (int, error) {
	switch {
	case info.IsDir():
		return 0, errors.New("it is a folder")
	case info.Size() > int64(most):
		return 0, fmt.Errorf("it has %d bytes, more than the %d to read (max: up to %d)", info.Size(), most, maxRead)
	}
	return int(info.Size()), nil
}

// readBelow reads a file that had the size a moment ago.
func readBelow(ctx context.Context, root *os.Root, name string, size, most int) (string, error) {
	f, info, err := openfile.RegularIn(root, name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	if _, err := sizeToRead(info, most); err != nil { // another file, by now
		return "", err
	}
	var text strings.Builder
	text.Grow(size)
	buffer := make([]byte, 64<<10)
	for {
		n, err := f.Read(buffer)
		if text.Len()+n > size {
			return "", errors.New("it grew while it was read")
		}
		text.Write(buffer[:n])
		switch {
		case err == io.EOF:
			return text.String(), nil
		case err != nil:
			return "", err
		case ctx.Err() != nil:
			return "", ctx.Err()
		}
	}
}

func fileExists(c call) int {
	c.needRead()
	found, err := inProject(c, c.place(1), func(_ context.Context, root *os.Root, name string) (bool, error) {
		_, err := root.Stat(name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotFolder) {
			return false, nil
		}
		return err == nil, err
	})
	c.raised(err)
	return c.give(lua.LBool(found))
}

func statFile(c call) int {
	c.needRead()
	info, err := inProject(c, c.place(1), func(_ context.Context, root *os.Root, name string) (fs.FileInfo, error) {
		return root.Stat(name)
	})
	if err != nil {
		return c.failed(err)
	}
	t := c.object(4)
	t.RawSetString("type", lua.LString(typeName(info.Mode())))
	t.RawSetString("size", lua.LNumber(info.Size()))
	t.RawSetString("mtime", lua.LNumber(float64(info.ModTime().UnixMilli())/1000))
	t.RawSetString("mode", lua.LString(fmt.Sprintf("%04o", info.Mode().Perm())))
	return c.give(t)
}

func typeName(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return "file"
	case m.IsDir():
		return "folder"
	case m&fs.ModeSymlink != 0:
		return "link"
	}
	return "other"
}

func listFolder(c call) int {
	c.needRead()
	p := rootPlace
	if c.Get(1) != lua.LNil {
		p = c.place(1)
	}
	entries, err := inProject(c, p, func(ctx context.Context, root *os.Root, name string) ([]fs.DirEntry, error) {
		var all []fs.DirEntry
		err := eachEntry(ctx, root, name, func(e fs.DirEntry) error {
			if all = append(all, e); len(all) > maxEntries {
				return fmt.Errorf("it holds more than %d entries", maxEntries)
			}
			return nil
		})
		return all, err
	})
	if err != nil {
		return c.failed(err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	meter := luabind.Meter{L: c.LState}
	t := c.list(len(entries))
	for _, e := range entries {
		meter.Add(10, entryBytes+len(e.Name()))
		entry := c.CreateTable(0, 2)
		entry.RawSetString("name", lua.LString(e.Name()))
		entry.RawSetString("type", lua.LString(typeName(e.Type())))
		t.Append(entry)
	}
	meter.Flush()
	return c.give(t)
}

// eachEntry calls f with what is in a folder, in no order, until that fails.
func eachEntry(ctx context.Context, root *os.Root, name string, f func(fs.DirEntry) error) error {
	if info, err := root.Stat(name); err != nil {
		return err
	} else if !info.IsDir() {
		return errors.New("it is no folder")
	}
	dir, err := openfile.FolderIn(root, name)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	for {
		entries, err := dir.ReadDir(256)
		for _, e := range entries {
			if err := f(e); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// join is a name in a folder, "." among them.
func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return path.Join(dir, name)
}

// guardedNames are files and folders that fs.write never touches, wherever they stand
// in the project: hooks, what runs by itself, and the settings of agents and editors,
// in which both could be switched off or on. A hook must not change hooks.
var guardedNames = []string{
	".git", ".hooks", "hooks.yaml", "hooks.yml", ".husky", ".github",
	".claude", ".codex", ".gemini", ".cursor", ".copilot", ".crush", ".opencode", ".windsurf", ".continue",
	".roo", ".kiro", ".qwen", ".factory", ".augment", ".amp", ".agents", ".aider.conf.yml",
	".mcp.json", "crush.json", ".crush.json", "opencode.json", "opencode.jsonc", ".envrc",
	".vscode", ".idea", ".zed", ".devcontainer", ".devcontainer.json",
}

// guardedName reports whether a name is one of them for some file system: those that
// ignore case, trailing dots and blanks, what follows a colon, or characters that
// don't show.
func guardedName(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	name = strings.TrimRight(name, ". ")
	return slices.ContainsFunc(guardedNames, func(g string) bool { return strings.EqualFold(g, name) })
}

// luahookFolders are where the user's configuration and what luahook remembers lie.
func luahookFolders() []string {
	home := userhome.Dir()
	var all []string
	for _, f := range []struct{ variable, underHome string }{
		{"XDG_CONFIG_HOME", ".config"}, {"XDG_STATE_HOME", ".local/state"}, {"XDG_DATA_HOME", ".local/share"}, {"XDG_CACHE_HOME", ".cache"},
	} {
		if dir := os.Getenv(f.variable); filepath.IsAbs(dir) {
			all = append(all, filepath.Join(dir, "luahook"))
		}
		if home != "" {
			all = append(all, filepath.Join(home, filepath.FromSlash(f.underHome), "luahook"))
		}
	}
	return all
}

// changes goes down to where something is to be changed, step by step through
// folders that it holds open. Nothing leads it elsewhere: it follows no link, and at
// each step it looks whether it stands in something guarded, by its name and by what
// it is, since a folder may have several names.
type changes struct {
	root    *os.Root
	abs     string // of root
	dir     *os.Root
	name    string // of dir, below root
	opened  []*os.Root
	guarded []fs.FileInfo
}

func startChanges(ctx context.Context, root *os.Root, abs string) (*changes, error) {
	s := &changes{root: root, abs: abs, dir: root, name: "."}
	for _, f := range luahookFolders() {
		if info, err := os.Stat(f); err == nil {
			s.guarded = append(s.guarded, info)
		}
	}
	return s, s.guardHere(ctx)
}

func (s *changes) close() {
	for _, r := range s.opened {
		_ = r.Close()
	}
}

// guardHere notes what in this folder is guarded, and what links lead to it from there:
// .hooks may be a link, or hold links to scripts.
func (s *changes) guardHere(ctx context.Context) error {
	for _, g := range guardedNames {
		at := join(s.name, g)
		info, err := s.root.Stat(at)
		if err != nil { // there is none, or it lies elsewhere
			continue
		}
		s.guarded = append(s.guarded, info)
		if !info.IsDir() || s.name != "." {
			continue
		}
		err = eachEntry(ctx, s.root, at, func(e fs.DirEntry) error {
			if e.Type()&fs.ModeSymlink == 0 {
				return nil
			}
			if info, err := s.root.Stat(join(at, e.Name())); err == nil {
				s.guarded = append(s.guarded, info)
			}
			if len(s.guarded) > maxEntries {
				return fmt.Errorf("it holds more than %d links", maxEntries)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("what must not be changed can't be told: %s: %w", at, cause(err))
		}
	}
	return nil
}

// check refuses what is guarded, under whatever name. info is nil where there is nothing
// of that name yet.
func (s *changes) check(name string, info fs.FileInfo) error {
	at := join(s.name, name)
	refused := false
	for _, f := range luahookFolders() {
		_, inside := below(strings.ToLower(f), strings.ToLower(filepath.ToSlash(filepath.Join(s.abs, filepath.FromSlash(at)))))
		refused = refused || inside
	}
	for _, g := range s.guarded {
		refused = refused || info != nil && os.SameFile(g, info)
	}
	if refused {
		return isGuarded(at)
	}
	return nil
}

func isGuarded(at string) error {
	return notCovered(fmt.Sprintf("%q belongs to hooks, git or the settings of agents, which no script may change", cut(at, 200)))
}

// enter goes into a folder, which is made if it isn't there and create is true.
func (s *changes) enter(ctx context.Context, name string, create bool) error {
	info, err := s.dir.Lstat(name)
	if os.IsNotExist(err) && create {
		if err := s.check(name, nil); err != nil {
			return err
		}
		if err := s.dir.Mkdir(name, 0o755); err != nil && !os.IsExist(err) {
			return err
		}
		info, err = s.dir.Lstat(name)
	}
	if os.IsNotExist(err) {
		return fmt.Errorf("there is no folder %s; fs.mkdir makes it", cut(join(s.name, name), 200))
	}
	if err != nil {
		return err
	}
	if err := s.check(name, info); err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return s.isLink(name)
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", cut(join(s.name, name), 200))
	}
	next, err := openfile.RootIn(s.dir, name)
	if err != nil {
		return err
	}
	s.opened = append(s.opened, next)
	if opened, err := next.Stat("."); err != nil {
		return err
	} else if !os.SameFile(opened, info) {
		return fmt.Errorf("%s was exchanged meanwhile", cut(join(s.name, name), 200))
	}
	s.dir, s.name = next, join(s.name, name)
	return s.guardHere(ctx)
}

func (s *changes) isLink(name string) error {
	return notCovered(fmt.Sprintf("%q is a link, and nothing is changed by way of a link", cut(join(s.name, name), 200)))
}

// last looks at what is to be changed; info is nil where there is nothing yet.
func (s *changes) last(name string) (info fs.FileInfo, err error) {
	info, err = s.dir.Lstat(name)
	if os.IsNotExist(err) {
		return nil, s.check(name, nil)
	}
	if err != nil {
		return nil, err
	}
	return info, s.check(name, info)
}

// change goes to the folder of what the place names and calls f there.
func (c call) change(p place, create bool, f func(ctx context.Context, at *changes, name string) error) int {
	abs := c.root()
	luabind.Spend(c.LState, 2000)
	given := []string{p.said}
	if c.name == "write" || c.name == "append" {
		given = append(given, c.text(2))
	}
	err := doOnce(c, given, noSize[error], func() (error, bool) { return nil, true }, func() error { return c.changeIn(p, abs, create, f) })
	if err != nil {
		return c.failed(err)
	}
	return c.giveTrue()
}

func (c call) changeIn(p place, abs string, create bool, f func(ctx context.Context, at *changes, name string) error) error {
	_, err := inProject(c, p, func(ctx context.Context, root *os.Root, name string) (struct{}, error) {
		if name == "." {
			return struct{}{}, notCovered("the project's root itself is not to be changed")
		}
		elements := strings.Split(name, "/")
		if slices.ContainsFunc(elements, guardedName) {
			return struct{}{}, isGuarded(name)
		}
		at, err := startChanges(ctx, root, abs)
		if err != nil {
			return struct{}{}, err
		}
		defer at.close()
		for _, e := range elements[:len(elements)-1] {
			if err := at.enter(ctx, e, create); err != nil {
				return struct{}{}, err
			}
		}
		if ctx.Err() != nil {
			return struct{}{}, ctx.Err()
		}
		return struct{}{}, f(ctx, at, elements[len(elements)-1])
	})
	return err
}
