package source

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/luahook/luahook/luabind/compile"
)

// Bounds of what one Watch keeps an eye on; what lies beyond is not noticed.
const (
	MaxWatchedFolders = 512
	MaxWatchedFiles   = 4096
)

// Sources are the files that hooks are read from.
type Sources struct {
	Trees   []string        // folders of which everything counts
	Files   map[string]bool // files that count by themselves
	Folders []string        // to be watched; each is there
	Sum     [sha256.Size]byte
	Reading string // see loaded
	More    bool   // there is more than is kept an eye on
	Unread  bool   // something couldn't be looked at
}

// Includes reports whether a change at path may be one of the sources.
func (s *Sources) Includes(path string) bool {
	for _, tree := range s.Trees {
		if IsWithin(tree, path) || IsWithin(path, tree) {
			return true
		}
	}
	for file := range s.Files {
		if IsWithin(path, file) {
			return true
		}
	}
	return false
}

// IsWithin reports whether path is folder or lies below it; both are absolute.
func IsWithin(folder, path string) bool { return Below(folder, path) != "" }

// ReadSources looks at everything that the folders' hooks are read from; trustFile is
// that of what the user trusts, or "".
func ReadSources(folders []Folder, trustFile string) Sources {
	r := &sourceReader{hash: sha256.New(), sources: Sources{Files: map[string]bool{}}}
	if trustFile != "" {
		r.single(Folder{Explicit: true}, trustFile)
	}
	var sums []string
	for _, f := range folders {
		c := f.Read(NewBudget(OwnBudget))
		sums = append(sums, c.Sum())
		if f.Refused != nil { // for as long as the engine lives
			continue
		}
		if !f.Explicit {
			fmt.Fprintf(r.hash, "%q %v\n", f.Dir, f.refuse())
		}
		if f.Confined {
			r.watchFolder(f.Root) // which may be moved, with all that is in it
		}
		if f.Scripts != "" {
			r.tree(f, f.Scripts)
		}
		if f.Dir != f.Scripts {
			r.single(f, cmp.Or(f.File, filepath.Join(f.Dir, "hooks.yaml")))
		}
		for _, p := range c.listedPaths() {
			r.single(f, p)
		}
	}
	r.sources.Reading = JoinSums(sums)
	r.hash.Sum(r.sources.Sum[:0])
	return r.sources
}

// listedPaths are the paths of the scripts that hooks.yaml names, whether they can be
// read or not.
func (c *Content) listedPaths() []string {
	var paths []string
	for _, h := range c.Hooks {
		if h.File.Path != "" {
			paths = append(paths, h.File.Path)
		}
	}
	return paths
}

// sourceReader puts the sources together.
type sourceReader struct {
	sources Sources
	hash    hash.Hash
	count   int
}

// tree takes in all that lies below a folder.
func (r *sourceReader) tree(f Folder, dir string) {
	r.sources.Trees = append(r.sources.Trees, dir)
	r.watchFolder(dir)
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return // the folder isn't there
	}
	if root != dir {
		if !f.mayRead(root) {
			return
		}
		r.sources.Trees = append(r.sources.Trees, root)
		if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			r.watchFolder(filepath.Dir(dir)) // where the link lies
		}
	}
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			fmt.Fprintf(r.hash, "%q %v\n", p, Cause(err))
			r.sources.Unread = true
			return nil
		case r.sources.More:
			return fs.SkipAll
		case d.IsDir():
			r.watchFolder(p)
		default:
			r.file(f, p)
		}
		return nil
	})
	if err != nil { // which the function above never returns
		fmt.Fprintf(r.hash, "%q %v\n", root, err)
	}
}

// single takes in one file, wherever it lies.
func (r *sourceReader) single(f Folder, p string) {
	if !f.mayRead(p) {
		return // it isn't read either
	}
	r.sources.Files[p] = true
	r.watchFolder(filepath.Dir(p))
	r.file(f, p)
}

// file takes in what a file says. Of one that is no script by its size, the time of
// the last change stands for that.
func (r *sourceReader) file(f Folder, p string) {
	if r.count++; r.count > MaxWatchedFiles {
		r.sources.More = true
		return
	}
	r.link(f, p)
	text, err := f.readFile(p, compile.MaxSourceBytes)
	if err == nil {
		fmt.Fprintf(r.hash, "%q %x\n", p, sha256.Sum256(text))
		return
	}
	fmt.Fprintf(r.hash, "%q %v", p, Cause(err))
	if info, err := os.Lstat(p); err == nil {
		fmt.Fprintf(r.hash, " %d %d", info.Size(), info.ModTime().UnixNano())
	}
	fmt.Fprintln(r.hash)
}

// link takes in the file that a link leads to.
func (r *sourceReader) link(f Folder, p string) {
	info, err := os.Lstat(p)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return
	}
	if target, err := filepath.EvalSymlinks(p); err == nil && f.mayRead(target) {
		r.sources.Files[target] = true
		r.watchFolder(filepath.Dir(target))
	}
}

// watchFolder has a folder watched, or the nearest one above it that is there.
func (r *sourceReader) watchFolder(dir string) {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
		above := filepath.Dir(dir)
		if above == dir {
			return
		}
		dir = above
	}
	switch {
	case slices.Contains(r.sources.Folders, dir):
	case len(r.sources.Folders) == MaxWatchedFolders:
		r.sources.More = true
	default:
		r.sources.Folders = append(r.sources.Folders, dir)
	}
}

// mayRead reports whether the folder's hooks may be read from there.
func (f Folder) mayRead(path string) bool {
	if !f.Confined || IsWithin(f.Root, path) {
		return true
	}
	root, err := filepath.EvalSymlinks(f.Root)
	return err == nil && IsWithin(root, path)
}

// JoinSums puts the hashes of folders together.
func JoinSums(sums []string) (reading string) {
	for _, sum := range sums {
		joined := sha256.Sum256([]byte(reading + sum))
		reading = hex.EncodeToString(joined[:])
	}
	return reading
}
