package engine

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/luabind/compile"
)

// Bounds of what one Watch keeps an eye on; what lies beyond is not noticed.
const (
	maxWatchedFolders = 512
	maxWatchedFiles   = 4096
)

// sources are the files that hooks are read from.
type sources struct {
	trees   []string        // folders of which everything counts
	files   map[string]bool // files that count by themselves
	folders []string        // to be watched; each is there
	sum     [sha256.Size]byte
	reading string // see loaded
	more    bool   // there is more than is kept an eye on
	unread  bool   // something couldn't be looked at
}

// concerns tells whether a change at path may be one of the sources.
func (s *sources) concerns(path string) bool {
	for _, tree := range s.trees {
		if isWithin(tree, path) || isWithin(path, tree) {
			return true
		}
	}
	for file := range s.files {
		if isWithin(path, file) {
			return true
		}
	}
	return false
}

// isWithin tells whether path is folder or lies below it; both are absolute.
func isWithin(folder, path string) bool { return below(folder, path) != "" }

// readSources looks at everything that the folders' hooks are read from; trustFile is
// that of what the user trusts, or "".
func readSources(folders []folder, trustFile string) sources {
	r := &sourceReader{hash: sha256.New(), sources: sources{files: map[string]bool{}}}
	if trustFile != "" {
		r.single(folder{named: true}, trustFile)
	}
	var sums []string
	for _, f := range folders {
		c := f.read(newLoading(ownLoading))
		sums = append(sums, c.sum())
		if f.refused != nil { // for as long as the engine lives
			continue
		}
		if !f.named {
			fmt.Fprintf(r.hash, "%q %v\n", f.dir, f.refuse())
		}
		if f.confined {
			r.watchFolder(f.root) // which may be moved, with all that is in it
		}
		if f.scripts != "" {
			r.tree(f, f.scripts)
		}
		if f.dir != f.scripts {
			r.single(f, cmp.Or(f.file, filepath.Join(f.dir, "hooks.yaml")))
		}
		for _, p := range c.listedPaths() {
			r.single(f, p)
		}
	}
	r.sources.reading = readingOf(sums)
	r.hash.Sum(r.sources.sum[:0])
	return r.sources
}

// listedPaths are the paths of the scripts that hooks.yaml names, whether they can be
// read or not.
func (c *folderContent) listedPaths() []string {
	var paths []string
	for _, h := range c.listed {
		if h.file.path != "" {
			paths = append(paths, h.file.path)
		}
	}
	return paths
}

// sourceReader puts the sources together.
type sourceReader struct {
	sources sources
	hash    hash.Hash
	count   int
}

// tree takes in all that lies below a folder.
func (r *sourceReader) tree(f folder, dir string) {
	r.sources.trees = append(r.sources.trees, dir)
	r.watchFolder(dir)
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return // the folder isn't there
	}
	if root != dir {
		if !f.admits(root) {
			return
		}
		r.sources.trees = append(r.sources.trees, root)
		if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			r.watchFolder(filepath.Dir(dir)) // where the link lies
		}
	}
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			fmt.Fprintf(r.hash, "%q %v\n", p, cause(err))
			r.sources.unread = true
			return nil
		case r.sources.more:
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
func (r *sourceReader) single(f folder, p string) {
	if !f.admits(p) {
		return // it isn't read either
	}
	r.sources.files[p] = true
	r.watchFolder(filepath.Dir(p))
	r.file(f, p)
}

// file takes in what a file says. Of one that is no script by its size, the time of
// the last change stands for that.
func (r *sourceReader) file(f folder, p string) {
	if r.count++; r.count > maxWatchedFiles {
		r.sources.more = true
		return
	}
	r.link(f, p)
	text, err := f.readFile(p, compile.MaxSourceBytes)
	if err == nil {
		fmt.Fprintf(r.hash, "%q %x\n", p, sha256.Sum256(text))
		return
	}
	fmt.Fprintf(r.hash, "%q %v", p, cause(err))
	if info, err := os.Lstat(p); err == nil {
		fmt.Fprintf(r.hash, " %d %d", info.Size(), info.ModTime().UnixNano())
	}
	fmt.Fprintln(r.hash)
}

// link takes in the file that a link leads to.
func (r *sourceReader) link(f folder, p string) {
	info, err := os.Lstat(p)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return
	}
	if target, err := filepath.EvalSymlinks(p); err == nil && f.admits(target) {
		r.sources.files[target] = true
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
	case slices.Contains(r.sources.folders, dir):
	case len(r.sources.folders) == maxWatchedFolders:
		r.sources.more = true
	default:
		r.sources.folders = append(r.sources.folders, dir)
	}
}

// admits tells whether the folder's hooks may be read from there.
func (f folder) admits(path string) bool {
	if !f.confined || isWithin(f.root, path) {
		return true
	}
	root, err := filepath.EvalSymlinks(f.root)
	return err == nil && isWithin(root, path)
}

// readingOf puts the hashes of folders together.
func readingOf(sums []string) (reading string) {
	for _, sum := range sums {
		reading = trust.Hash([]byte(reading + sum))
	}
	return reading
}
