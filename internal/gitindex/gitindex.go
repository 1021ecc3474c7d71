package gitindex

import (
	"crypto/sha1"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/luahook/luahook/internal/gitfolder"
	"github.com/luahook/luahook/internal/openfile"
)

// State is what would be lost with a file or folder.
type State string

// What isn't understood, too large or not in a repository counts as Lost.
const (
	Absent State = "absent" // there is nothing, or nothing in it
	Kept   State = "kept"   // git has all of it as it is
	Lost   State = "lost"   // at least something that git doesn't have
)

// The bounds of one call. What is beyond them counts as [Lost].
const (
	maxIndex   = 16 << 20 // bytes of an index: some 150,000 files
	maxFiles   = 1000     // that are looked at, with folders
	maxContent = 8 << 20  // bytes of files that are read
	maxDepth   = 40       // folders in folders
)

// Of says what would be lost with what is at a path, absolute. Everything in a folder counts. Where pattern is
// set, the last element of the path is a pattern as [path.Match] reads them, and hidden files count only if it
// begins with a dot.
func Of(name string, pattern bool) State {
	if !filepath.IsAbs(name) {
		return Lost
	}
	name = filepath.Clean(name)
	l := &look{content: maxContent, left: maxFiles, files: map[string]fs.FileInfo{}}
	if pattern {
		return l.matching(filepath.Dir(name), filepath.Base(name))
	}
	l.add(name, maxDepth)
	return l.state(filepath.Dir(name))
}

// look collects files.
type look struct {
	files   map[string]fs.FileInfo // by their paths
	left    int                    // how many more may be looked at
	content int64                  // how many more bytes may be read
	unknown bool                   // there is more than could be looked at
}

// matching looks at the files of a folder whose names match a pattern.
func (l *look) matching(dir, pattern string) State {
	pattern = strings.ReplaceAll(pattern, "[!", "[^")
	if strings.ContainsAny(dir, "*?[(") || strings.ContainsAny(pattern, "({") {
		return Lost
	}
	for _, found := range l.list(dir) {
		hidden := strings.HasPrefix(found.Name(), ".") && !strings.HasPrefix(pattern, ".")
		matches, err := path.Match(pattern, found.Name())
		if err != nil {
			return Lost
		}
		if matches && !hidden {
			l.add(filepath.Join(dir, found.Name()), maxDepth)
		}
	}
	return l.state(dir)
}

// list gives what is in a folder.
func (l *look) list(dir string) []fs.DirEntry {
	f, err := openfile.Folder(dir)
	if err != nil {
		l.unknown = l.unknown || !errors.Is(err, fs.ErrNotExist)
		return nil
	}
	defer f.Close()
	found, err := f.ReadDir(max(l.left, 0) + 1)
	if l.left -= len(found); l.left < 0 || err != nil && len(found) > 0 {
		l.unknown = true
	}
	return found
}

// add adds the file at a path, or all that are in the folder there. What is empty has nothing to be lost.
func (l *look) add(name string, depth int) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil || l.unknown || depth == 0:
		l.unknown = true
	case info.IsDir():
		for _, found := range l.list(name) {
			l.add(filepath.Join(name, found.Name()), depth-1)
		}
	case info.Mode()&^fs.ModePerm&^fs.ModeSymlink != 0:
		l.unknown = true
	case info.Size() > 0:
		l.files[name] = info
	}
}

// state asks the index of the repository that a folder is in.
func (l *look) state(dir string) State {
	switch {
	case l.unknown:
		return Lost
	case len(l.files) == 0:
		return Absent
	}
	top, index, written, err := indexAbove(dir)
	if err != nil {
		return Lost
	}
	wanted := make(map[string]fs.FileInfo, len(l.files)) // by their names in the index
	longest := 0
	for name, info := range l.files {
		inside, err := filepath.Rel(top, name)
		if err != nil || !filepath.IsLocal(inside) {
			return Lost
		}
		wanted[filepath.ToSlash(inside)] = info
		longest = max(longest, len(inside))
	}
	isWanted := func(name []byte) bool { // long names of many entries would take their time
		info := wanted[string(name[:min(len(name), longest)])]
		return info != nil && len(name) <= longest
	}
	err = search(index, isWanted, func(name string, e entry) bool {
		if info := wanted[name]; e.clean(info, written.ModTime()) || l.has(filepath.Join(top, filepath.FromSlash(name)), info, &e) {
			delete(wanted, name)
		}
		return len(wanted) > 0
	})
	if err != nil || len(wanted) > 0 {
		return Lost
	}
	return Kept
}

// has reports whether a file has the content that the index says.
func (l *look) has(name string, info fs.FileInfo, e *entry) bool {
	if e.link || !info.Mode().IsRegular() || info.Size() > l.content {
		return false
	}
	l.content -= info.Size()
	text, err := openfile.Read(name, info.Size())
	if err != nil {
		return false
	}
	return sha1.Sum(append([]byte("blob "+strconv.Itoa(len(text))+"\x00"), text...)) == e.hash // git names content by it
}

var errNoRepository = errors.New("gitindex: not in a repository")

// indexAbove reads the index of the repository that a folder is in, and the top of its work tree.
func indexAbove(dir string) (top string, index []byte, written fs.FileInfo, err error) {
	git := gitfolder.Find(dir)
	if git == nil {
		return "", nil, nil, errNoRepository
	}
	f, written, err := openfile.Regular(filepath.Join(git.Dir, "index"))
	if err != nil {
		return "", nil, nil, err
	}
	defer f.Close()
	index, err = openfile.ReadAll(f, maxIndex)
	return git.Top, index, written, err
}
