package lib

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/userhome"
	"github.com/luahook/luahook/luabind"
)

// place is where a path of a script leads, as far as its text tells.
type place struct {
	said string // what the script wrote
	name string // below the root, with slashes; "." is the root
	abs  string // an absolute path that doesn't begin with the root as it is written
}

var rootPlace = place{said: ".", name: "."}

// maxFilePath bounds a path of a file. No system that matters has longer ones.
const maxFilePath = 4 << 10

// place is a string argument that is a path below the project's root. What leads out is
// raised as an error.
func (c call) place(n int) place {
	p := c.text(n)
	luabind.Spend(c.LState, 20+len(p)/8)
	c.allocate(4 * min(len(p), maxFilePath))
	at, err := placeOf(c.root(), p)
	if err != nil {
		c.bad(n, err.Error())
	}
	return at
}

func placeOf(root, p string) (place, error) {
	switch {
	case p == "":
		return place{}, fmt.Errorf("the path is empty")
	case len(p) > maxFilePath:
		return place{}, fmt.Errorf("a path of more than %d bytes", maxFilePath)
	case strings.ContainsRune(p, 0):
		return place{}, fmt.Errorf("a path with a NUL byte")
	}
	at := place{said: p}
	text := p
	if filepath.IsAbs(p) {
		rest, inside := below(root, filepath.ToSlash(p))
		if !inside {
			at.abs = p
		}
		text = rest
	} else if runtime.GOOS == "windows" && (filepath.VolumeName(p) != "" || strings.HasPrefix(p, `\`) || strings.HasPrefix(p, "/")) {
		return place{}, fmt.Errorf("%q is neither absolute nor relative", cut(p, 200))
	}
	if hasDotDot(filepath.ToSlash(p)) {
		return place{}, fmt.Errorf("%q has .. in it; name the file from the project's root", cut(p, 200))
	}
	at.name = cleanBelow(filepath.ToSlash(text))
	if runtime.GOOS == "windows" {
		for e := range strings.SplitSeq(at.name, "/") {
			if e != "." && (strings.ContainsRune(e, ':') || strings.TrimRight(e, ". ") != e) {
				return place{}, fmt.Errorf("%q is no name of a file", cut(e, 200))
			}
		}
	}
	return at, nil
}

// below is what of an absolute path stands behind the root.
func below(root, p string) (rest string, inside bool) {
	root = strings.TrimSuffix(filepath.ToSlash(root), "/")
	if len(p) >= len(root) && sameText(p[:len(root)], root) && (len(p) == len(root) || p[len(root)] == '/') {
		return p[len(root):], true
	}
	return "", false
}

func sameText(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

func hasDotDot(p string) bool {
	for e := range strings.SplitSeq(p, "/") {
		if e == ".." {
			return true
		}
	}
	return false
}

// cleanBelow takes doubled slashes and . out.
func cleanBelow(p string) string {
	var kept []string
	for e := range strings.SplitSeq(p, "/") {
		if e != "" && e != "." {
			kept = append(kept, e)
		}
	}
	if len(kept) == 0 {
		return "."
	}
	return strings.Join(kept, "/")
}

// below is the path below the root. It looks at the file system where the script
// names the root by another path, which leads to it by links.
func (p place) below(root string) (string, error) {
	if p.abs == "" {
		return p.name, nil
	}
	here, err := os.Stat(root)
	if err != nil {
		return "", fmt.Errorf("the project's root can't be looked at: %w", err)
	}
	text := filepath.ToSlash(filepath.Clean(p.abs))
	for i, r := range text + "/" {
		if r != '/' || i == 0 {
			continue
		}
		if info, err := os.Stat(filepath.FromSlash(text[:i] + "/")); err == nil && os.SameFile(info, here) {
			return cleanBelow(text[i:]), nil
		}
	}
	return "", notCovered(fmt.Sprintf("%q is outside of the project (%s), and only what is below it is granted", cut(p.said, 200), root))
}

// named puts the path, as the script wrote it, in front of an error.
func (p place) named(err error) error {
	if err == nil || errors.As(err, new(notCovered)) {
		return err
	}
	if leadsOut(err) {
		return notCovered(fmt.Sprintf("%q leads out of the project, or there is a link in it with an absolute target", cut(p.said, 200)))
	}
	return fmt.Errorf("%s: %w", cut(p.said, 200), cause(err))
}

// leadsOut tells os.Root's refusal, which has no name there.
func leadsOut(err error) bool {
	for err != nil {
		if err.Error() == "path escapes from parent" {
			return true
		}
		err = errors.Unwrap(err)
	}
	return false
}

// realPath follows links by itself: os.Root follows none whose target is absolute, though
// it lies below the root.
func realPath(c call) int {
	c.needRead()
	dir := c.root()
	name, err := inProject(c, c.place(1), func(_ context.Context, _ *os.Root, name string) (string, error) {
		base, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return "", err
		}
		real, err := filepath.EvalSymlinks(filepath.Join(base, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		rest, inside := below(base, filepath.ToSlash(real))
		if !inside {
			return "", errLeadsOut
		}
		return cleanBelow(rest), nil
	})
	if err != nil {
		return c.failed(err)
	}
	c.allocate(len(name))
	return c.giveText(name)
}

var errLeadsOut = errors.New("path escapes from parent") // as os.Root says it

// maxAppend is how large a file may become by fs.append.
const maxAppend = 64 << 20

func (c call) giveTrue() int { return c.give(lua.LTrue) }

func writeFile(c call) int {
	c.needWrite()
	p, text := c.place(1), c.text(2)
	c.charge(len(text))
	return c.change(p, false, func(ctx context.Context, at *changes, name string) error {
		info, err := at.last(name)
		if err != nil {
			return err
		}
		if err := at.isFile(name, info); err != nil {
			return err
		}
		return at.exchange(ctx, name, info, text)
	})
}

// isFile refuses what is there and no regular file.
func (s *changes) isFile(name string, info fs.FileInfo) error {
	switch {
	case info == nil || info.Mode().IsRegular():
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		return s.isLink(name)
	case info.IsDir():
		return errors.New("it is a folder")
	}
	return errors.New("it is not a regular file")
}

// exchange puts a new file in the place of the one that info tells of, if any.
func (s *changes) exchange(ctx context.Context, name string, info fs.FileInfo, text string) (err error) {
	mode := fs.FileMode(0o644)
	if info != nil {
		mode = info.Mode().Perm()
	}
	// In the same folder, so that it can be renamed. It is never wider open than what it
	// replaces.
	fresh := ".luahook-" + rand.Text() + ".tmp"
	f, err := s.dir.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.discard(fresh))
		}
	}()
	_, err = f.WriteString(text)
	if err == nil && info != nil {
		err = f.Chmod(mode)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = ctx.Err() // a run that is over changes nothing
	}
	if err != nil {
		return err
	}
	return s.dir.Rename(fresh, name)
}

// discard removes what could not be finished; the error names it where it stays.
func (s *changes) discard(name string) error {
	if err := s.dir.Remove(name); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("%s is left over: %w", join(s.name, name), cause(err))
	}
	return nil
}

func appendFile(c call) int {
	c.needWrite()
	p, text := c.place(1), c.text(2)
	c.charge(len(text))
	return c.change(p, false, func(_ context.Context, at *changes, name string) error {
		info, err := at.last(name)
		if err != nil {
			return err
		}
		if err := at.isFile(name, info); err != nil {
			return err
		}
		flags := os.O_WRONLY | os.O_APPEND | noBlock
		if info == nil {
			flags |= os.O_CREATE | os.O_EXCL
		}
		f, err := at.dir.OpenFile(name, flags, 0o644)
		if err != nil {
			return err
		}
		err = appendTo(f, info, text)
		if e := f.Close(); err == nil {
			err = e
		}
		return err
	})
}

// appendTo writes to a file that was the one of before when it was looked at; before
// is nil where it has just been made.
func appendTo(f *os.File, before fs.FileInfo, text string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if before != nil && !os.SameFile(before, info) {
		return errors.New("it was exchanged meanwhile")
	}
	switch n, err := names(f, info); {
	case err != nil:
		return err
	case n > 1: // one of the others may be what no script may change
		return errors.New("it has another name (a hard link), which would change with it; fs.write replaces it")
	}
	if info.Size()+int64(len(text)) > maxAppend {
		return fmt.Errorf("it has %d bytes and would have more than %d", info.Size(), maxAppend)
	}
	_, err = f.WriteString(text)
	return err
}

func makeFolder(c call) int {
	c.needWrite()
	return c.change(c.place(1), true, func(ctx context.Context, at *changes, name string) error {
		return at.enter(ctx, name, true)
	})
}

func removeFile(c call) int {
	c.needWrite()
	return c.change(c.place(1), false, func(_ context.Context, at *changes, name string) error {
		info, err := at.last(name)
		switch {
		case err != nil:
			return err
		case info == nil:
			return fs.ErrNotExist
		case typeName(info.Mode()) == "other":
			return errors.New("it is no file, link or folder")
		}
		return at.dir.Remove(name)
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
