package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/userhome"
)

// File is one script as it was read.
type File struct {
	Path    string // absolute
	Display string // what messages call it
	Source  string

	FromProject bool // the project's, though a managed file names it
	Edited      bool // Source isn't what was read
}

// readFile reads a regular file of at most size bytes; nothing of it where size is 0.
// In a confined folder it can't be led out of the root by links or by "..".
func (f Folder) readFile(p string, size int64) ([]byte, error) {
	if f.leadsInside(p) {
		return nil, errInside
	}
	stat, open := os.Stat, openfile.Regular
	if f.Confined {
		rel, err := filepath.Rel(f.Root, p)
		if err != nil || !filepath.IsLocal(rel) {
			return nil, fmt.Errorf("it lies outside the project (%s)", f.Root)
		}
		root, err := openfile.Root(f.Root)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		stat = func(string) (fs.FileInfo, error) { return root.Stat(rel) }
		open = func(string) (*os.File, fs.FileInfo, error) { return openfile.RegularIn(root, rel) }
	}
	if size == 0 {
		info, err := stat(p)
		if err == nil && !info.Mode().IsRegular() {
			err = openfile.ErrIrregular
		}
		if err != nil {
			return nil, err
		}
		return nil, f.refuseFile(info)
	}
	opened, info, err := open(p)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	if err := f.refuseFile(info); err != nil {
		return nil, err
	}
	return openfile.ReadAll(opened, size)
}

// refuseFile says why a file may not be used, for who it belongs to and who may write
// to it; nil where it may.
func (f Folder) refuseFile(info fs.FileInfo) error {
	if f.Explicit {
		return nil
	}
	return refuseFile(info, f.Scope == hooks.ScopeManaged)
}

// Display names a file as messages show it: relative to the project's root where it lies in
// it, with ~ for the home folder.
func (f Folder) Display(p string) string {
	if rel, err := filepath.Rel(f.Root, p); err == nil && f.Scope == hooks.ScopeProject && f.Around == 0 && filepath.IsLocal(rel) {
		return Plain(filepath.ToSlash(rel))
	}
	if home := userhome.Dir(); home != "" && filepath.IsAbs(p) {
		if rel, err := filepath.Rel(home, p); err == nil && filepath.IsLocal(rel) {
			return Plain(path.Join("~", filepath.ToSlash(rel)))
		}
	}
	return Plain(filepath.ToSlash(p))
}

// Plain is the name of a file or hook without characters that would end the line, be
// obeyed by a terminal, or not be seen: a stranger may have chosen it.
func Plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, name)
}

// Cause is an error without the path that messages name already.
func Cause(err error) error {
	var p *fs.PathError
	switch {
	case !errors.As(err, &p):
		return err
	case strings.HasPrefix(p.Err.Error(), "path escapes"): // what os.Root says of links
		return errors.New("a link leads out of the project")
	}
	return p.Err
}

// IsGit reports whether a .git is that of a repository: a folder with a HEAD, or the
// file that a worktree or a submodule has in its place.
func IsGit(path string) bool {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		head, err := os.Lstat(filepath.Join(path, "HEAD"))
		return err == nil && !head.IsDir()
	}
	f, _, err := openfile.Regular(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const mark = "gitdir:"
	begin := make([]byte, len(mark))
	_, err = io.ReadFull(f, begin)
	return err == nil && string(begin) == mark
}

// WithoutLinks is a path whose links are followed; one that isn't there stays as it is.
func WithoutLinks(path string) string {
	if path == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// HoldsHome reports whether the user's own home folder is a project's root, a path without
// links, or lies in it.
func HoldsHome(root string) bool {
	home := userhome.Account()
	if home == "" {
		return false
	}
	home, err := filepath.EvalSymlinks(home)
	return err == nil && IsWithin(root, home)
}

// Below is the slash path of an absolute path below a root, "" where it lies elsewhere.
func Below(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return strings.TrimPrefix(filepath.ToSlash(rel), "./")
}
