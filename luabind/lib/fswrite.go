package lib

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/userhome"
	"github.com/luahook/luahook/luabind"
)

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
