// Package openfile opens files that somebody else has named (a project, a user or an event) without blocking.
// The file at a path may be exchanged between a check and the opening, so nothing is checked beforehand: a pipe,
// a device or a socket in place of a file is recognised once it is open.
package openfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ErrIrregular is the error for anything but a regular file.
var ErrIrregular = errors.New("it is not a regular file")

// patience bounds the reading of a file that can block its reader. Some of the kernel's files do so and call
// themselves regular (/proc/kmsg).
const patience = 5 * time.Second

// Regular opens a regular file for reading. For anything else the error is [ErrIrregular] or the system's.
func Regular(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	return regular(f, err)
}

// RegularIn opens a regular file below a root as [Regular] does.
func RegularIn(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	return regular(f, err)
}

func regular(f *os.File, err error) (*os.File, fs.FileInfo, error) {
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrIrregular
	}
	if err != nil {
		_ = f.Close() // opened for reading
		return nil, nil, err
	}
	_ = f.SetReadDeadline(time.Now().Add(patience)) // real files don't support it, nor need it
	return f, info, nil
}

// Read reads a regular file of at most most bytes.
func Read(path string, most int64) ([]byte, error) {
	f, _, err := Regular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, most)
}

// ReadIn reads a regular file below a root, of at most most bytes.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	f, _, err := RegularIn(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, most)
}

// ReadAll reads the rest of f, at most most bytes, whatever the file's stated size is.
func ReadAll(f io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, fmt.Errorf("it is larger than %d bytes", most)
	}
	return text, err
}

// Folder opens a folder for listing. The path may lead through links.
func Folder(path string) (*os.File, error) {
	return os.OpenFile(path+"/.", os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// FolderIn opens a folder below a root for listing.
func FolderIn(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name+"/.", os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// Root opens a folder as a root. The path may lead through links.
func Root(path string) (*os.Root, error) {
	return os.OpenRoot(path + "/.") // only a folder has this
}

// RootIn opens a folder below a root as a root of its own.
func RootIn(root *os.Root, name string) (*os.Root, error) {
	return root.OpenRoot(name + "/.")
}

// Tree returns the files below a root, for [fs.WalkDir].
func Tree(root *os.Root) fs.FS { return tree{root} }

type tree struct{ root *os.Root }

func (t tree) Open(name string) (fs.File, error) {
	f, _, err := RegularIn(t.root, name)
	if err != nil { // avoids a nil of another type
		return nil, err
	}
	return f, nil
}

func (t tree) Stat(name string) (fs.FileInfo, error) { return t.root.Stat(name) }

func (t tree) ReadDir(name string) ([]fs.DirEntry, error) {
	dir, err := FolderIn(t.root, name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}
