package lib

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	lua "github.com/yuin/gopher-lua"

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
	return errors.New("it is no regular file")
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
