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
	"runtime"
	"strings"

	"github.com/luahook/luahook/internal/openfile"
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
