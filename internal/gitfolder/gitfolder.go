// Package gitfolder reads a few things in a repository's folder .git without running git, which would obey the
// repository's configuration. A repository may be a stranger's: each file is opened without blocking, and no more of it is
// read than is said here. What can't be read counts as not known.
package gitfolder

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/internal/openfile"
)

// The bounds of what is read.
const (
	maxLink    = 4096    // bytes of a file that names a folder, or of a ref
	maxConfig  = 1 << 18 // bytes of one file of configuration
	maxFiles   = 8       // of configuration that one leads to
	maxRefs    = 4 << 20 // bytes of packed-refs
	maxLog     = 4 << 20 // bytes at the end of a reflog
	maxRemotes = 50
)

// Folder is that of a repository.
type Folder struct {
	Top    string // of the work tree: the folder that .git is in
	Dir    string // what the work tree has of its own: .git, or in a linked work tree .git/worktrees/x of the repository
	Common string // what all work trees share; the same as Dir where there is only one
}

// Find returns the repository that a folder is in, nil for none. dir is absolute.
func Find(dir string) *Folder {
	if !filepath.IsAbs(dir) {
		return nil
	}
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, ".git")
		info, err := os.Stat(name)
		switch {
		case err != nil && filepath.Dir(dir) == dir:
			return nil
		case err != nil:
			continue
		case info.IsDir():
			return &Folder{dir, name, name}
		}
		text, err := openfile.Read(name, maxLink)
		target, ok := strings.CutPrefix(string(text), "gitdir:")
		if err != nil || !ok {
			return nil
		}
		f := &Folder{Top: dir, Dir: resolved(dir, target)}
		f.Common = f.Dir
		if text, err := openfile.Read(filepath.Join(f.Dir, "commondir"), maxLink); err == nil {
			f.Common = resolved(f.Dir, string(text))
		}
		return f
	}
}

func resolved(dir, target string) string {
	target = filepath.FromSlash(strings.TrimSpace(target))
	if filepath.IsAbs(target) {
		return filepath.Clean(target)
	}
	return filepath.Join(dir, target)
}

// State is what is known of a branch.
type State string

const (
	Unknown State = ""     // nothing
	None    State = "none" // there is no such branch
	Kept    State = "kept" // something else leads to its commits: another ref, or the reflog of HEAD
	Alone   State = "alone"
)

// Branch tells whether anything but the branch leads to the commit that it is at. It looks at the refs of the same
// name on remotes, at packed ones, and at the reflog of HEAD, where each commit is that was made or checked out here.
func (f *Folder) Branch(name string) State {
	if name == "" || name[0] == '-' || !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\\\x00*?[:~^ \n") {
		return Unknown
	}
	packed, err := openfile.Read(filepath.Join(f.Common, "packed-refs"), maxRefs)
	if err != nil && !os.IsNotExist(err) {
		return Unknown
	}
	if _, err := os.Stat(filepath.Join(f.Common, "refs", "heads")); err != nil {
		return Unknown // not a repository, or one that keeps its refs in another way
	}
	if _, err := os.Stat(filepath.Join(f.Common, "reftable")); err == nil {
		return Unknown
	}
	ref := "refs/heads/" + name
	tip := f.loose(ref)
	if tip == "" {
		if tip = packedAt(packed, ref); tip == "" {
			return None
		}
	}
	for line := range bytes.Lines(packed) {
		hash, other, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if hash == tip && other != ref {
			return Kept
		}
	}
	for _, remote := range f.remotes() {
		if f.loose("refs/remotes/"+remote+"/"+name) == tip {
			return Kept
		}
	}
	for _, dir := range []string{f.Dir, f.Common} {
		if logged(filepath.Join(dir, "logs", "HEAD"), tip) {
			return Kept
		}
	}
	return Alone
}

// remotes lists the names of remotes that are configured.
func (f *Folder) remotes() []string {
	var names []string
	for _, s := range Settings(f, "", "remote") {
		if len(names) < maxRemotes && filepath.IsLocal(s.Part) && !slices.Contains(names, s.Part) {
			names = append(names, s.Part)
		}
	}
	return names
}

// loose reads a ref that has a file of its own.
func (f *Folder) loose(ref string) string {
	text, err := openfile.Read(filepath.Join(f.Common, filepath.FromSlash(ref)), maxLink)
	hash := strings.TrimSpace(string(text))
	if err != nil || !isHash(hash) {
		return ""
	}
	return hash
}

func packedAt(packed []byte, ref string) string {
	for line := range bytes.Lines(packed) {
		if hash, name, ok := strings.Cut(strings.TrimSpace(string(line)), " "); ok && name == ref && isHash(hash) {
			return hash
		}
	}
	return ""
}

func isHash(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// logged reports whether a commit is in a reflog.
func logged(name, hash string) bool {
	file, info, err := openfile.Regular(name)
	if err != nil {
		return false
	}
	defer file.Close()
	if info.Size() > maxLog {
		if _, err := file.Seek(info.Size()-maxLog, io.SeekStart); err != nil {
			return false
		}
	}
	text, err := openfile.ReadAll(file, maxLog)
	return err == nil && bytes.Contains(text, []byte(hash))
}
