// Package scaffold makes the first files of a folder of hooks, and puts hooks of the cookbook there.
package scaffold

import (
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/cmd/luahook/internal/luacats"
	"github.com/luahook/luahook/internal/openfile"
)

// File is a file to make.
type File struct {
	Name  string // a slash path below the hooks folder
	Text  string
	About string // one line
}

//go:embed first/push.lua
var firstHook string

//go:embed first/push_test.lua
var firstTest string

//go:embed first/hooks.yaml
var firstConfig string

// First are the files that a new folder of hooks begins with.
func First() ([]File, error) {
	stub, err := Stub()
	if err != nil {
		return nil, err
	}
	return []File{
		{"push.lua", firstHook, "a first hook: no push to main"},
		{"push_test.lua", firstTest, "its test"},
		{"hooks.yaml", firstConfig, "built-in hooks, commands, and what hooks may use"},
		{".luarc.json", string(luacats.Settings), "for editors: what Lua this is"},
		stub,
	}, nil
}

// Stub is the file of definitions for editors.
func Stub() (File, error) {
	text, err := luacats.Stub()
	return File{".luahook/luahook.lua", text, "for editors: what hooks find"}, err
}

// ExistError says that files are there already.
type ExistError struct{ Paths []string }

func (e *ExistError) Error() string {
	are := "are"
	if len(e.Paths) == 1 {
		are = "is"
	}
	return fmt.Sprintf("nothing was written: %s %s there already", strings.Join(e.Paths, ", "), are)
}

// Make makes the files in the hooks folder, which is made as well if need be: all of them or none. It replaces nothing; if a
// file is there already, the error is an [*ExistError]. It follows no link in the hooks folder, nor one in its place.
func Make(hooks string, files []File) error {
	return within(hooks, func(m *maker, folder *os.Root) error {
		var there []string
		for _, f := range files {
			switch _, err := folder.Lstat(f.Name); {
			case err == nil:
				there = append(there, path.Join(filepath.Base(hooks), f.Name))
			case !errors.Is(err, fs.ErrNotExist):
				return err
			}
		}
		if len(there) > 0 {
			return &ExistError{there}
		}
		for _, f := range files {
			if err := m.file(folder, f); err != nil {
				return err
			}
		}
		return nil
	})
}

// Replace makes the file in the hooks folder, or puts it in the place of the one that is there. It follows no link, as [Make].
func Replace(hooks string, f File) error {
	return within(hooks, func(m *maker, folder *os.Root) error {
		folder, name, err := m.place(folder, f.Name)
		if err != nil {
			return err
		}
		fresh := File{Name: name + "." + rand.Text() + ".tmp", Text: f.Text} // another process may be writing its own
		if err := m.file(folder, fresh); err != nil {
			return err
		}
		if info, err := folder.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no file", path.Join(filepath.Base(hooks), f.Name))
		}
		return folder.Rename(fresh.Name, name)
	})
}

// within does something in the hooks folder. What was made is taken away again if it fails.
func within(hooks string, do func(m *maker, folder *os.Root) error) (err error) {
	above, err := openfile.Root(filepath.Dir(hooks))
	if err != nil {
		return notWritten(err)
	}
	m := &maker{opened: []*os.Root{above}}
	defer m.close()
	folder, err := m.folder(above, filepath.Base(hooks))
	if err == nil {
		err = do(m, folder)
	}
	if err != nil {
		return errors.Join(notWritten(err), m.takeBack())
	}
	return nil
}

func notWritten(err error) error {
	var exist *ExistError
	if errors.As(err, &exist) {
		return err
	}
	var bad *fs.PathError
	if errors.As(err, &bad) {
		err = fmt.Errorf("%s: %w", filepath.Clean(bad.Path), bad.Err)
	}
	return fmt.Errorf("nothing was written: %w", err)
}

// maker remembers what it has made, to take it away again, and what it has opened.
type maker struct {
	made   []made
	opened []*os.Root
}

type made struct {
	in   *os.Root
	name string
}

func (m *maker) close() {
	for _, root := range m.opened {
		_ = root.Close() // opened to find files
	}
}

// folder opens a folder, which it makes if need be. A link is none.
func (m *maker) folder(in *os.Root, name string) (*os.Root, error) {
	switch err := in.Mkdir(name, 0o755); {
	case err == nil:
		m.made = append(m.made, made{in, name})
	case !errors.Is(err, fs.ErrExist):
		return nil, err
	}
	folder, err := openfile.RootIn(in, name)
	if err != nil {
		return nil, err
	}
	m.opened = append(m.opened, folder)
	found, err := in.Lstat(name)
	if err != nil {
		return nil, err
	}
	opened, err := folder.Stat(".")
	if err == nil && !os.SameFile(found, opened) {
		err = fmt.Errorf("%s is a link", name)
	}
	return folder, err
}

// place opens the folder that a file lies in, and makes those on the way to it that aren't there.
func (m *maker) place(in *os.Root, name string) (folder *os.Root, last string, err error) {
	for {
		dir, rest, nested := strings.Cut(name, "/")
		if !nested {
			return in, name, nil
		}
		if in, err = m.folder(in, dir); err != nil {
			return nil, "", err
		}
		name = rest
	}
}

// file makes a file, and the folders on the way to it.
func (m *maker) file(in *os.Root, f File) error {
	in, name, err := m.place(in, f.Name)
	if err != nil {
		return err
	}
	file, err := in.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	m.made = append(m.made, made{in, name})
	_, err = file.WriteString(f.Text)
	return errors.Join(err, file.Close())
}

// takeBack removes what was made.
func (m *maker) takeBack() (err error) {
	for _, thing := range slices.Backward(m.made) {
		if e := thing.in.Remove(thing.name); e != nil {
			err = errors.Join(err, fmt.Errorf("%s was made and can't be taken away again: %w", thing.name, e))
		}
	}
	return err
}
