package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/engine/trust"
	"github.com/luahook/luahook/internal/openfile"
)

// Bounds of what is hashed of one project.
const (
	maxTrustedFiles = 10_000
	maxTrustedBytes = 64 << 20
)

// fingerprints are the hashes of a project's files as they are now: of those that the
// engine has read, of the bytes that it has read. Paths are slash paths below the root.
// It belongs to one goroutine and is to be closed.
type fingerprints struct {
	root  *os.Root
	path  string            // of the root, without links
	known map[string]string // hashes by path; what is asked for twice is read once

	bytes   int64 // read so far
	count   int   // files read so far
	lookups int   // of words of commands so far
}

// newFingerprints opens the project at root; read are hashes of files by their path.
func newFingerprints(root string, read map[string]string) (*fingerprints, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, fmt.Errorf("the project %s can't be looked at: %w", root, cause(err))
	}
	opened, err := openfile.Root(real)
	if err != nil {
		return nil, fmt.Errorf("the project %s can't be looked at: %w", root, cause(err))
	}
	p := &fingerprints{root: opened, path: real, known: map[string]string{}}
	maps.Copy(p.known, read)
	return p, nil
}

func (p *fingerprints) close() { _ = p.root.Close() } // opened to read

// folder hashes all that lies in a folder of the project, but for what skip tells. A
// link counts as the file that it leads to. What can't be pinned is an error: a folder
// behind a link, a link out of the project, what is neither file nor folder.
func (p *fingerprints) folder(dir string, skip func(name string) bool) (map[string]string, error) {
	files := map[string]string{}
	err := fs.WalkDir(openfile.Tree(p.root), dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == dir: // which has no files then
			return nil
		case err != nil:
			return fmt.Errorf("%s can't be read: %w", name, cause(err))
		case d.IsDir() || skip(name):
			return nil
		}
		at, inside, err := p.locate(name)
		switch {
		case err != nil:
			return fmt.Errorf("%s can't be read: %w", name, cause(err))
		case !inside:
			return fmt.Errorf("%s is a link out of the project, to %s, which can't be trusted", name, at)
		}
		files[name], err = p.file(name, at)
		return err
	})
	return files, err
}

// locate is where a path leads once its links are followed: a path below the root, or
// one outside of the project.
func (p *fingerprints) locate(name string) (at string, inside bool, err error) {
	real, err := filepath.EvalSymlinks(filepath.Join(p.path, filepath.FromSlash(name)))
	if err != nil {
		return "", false, err
	}
	rel, err := filepath.Rel(p.path, real)
	if err != nil || !filepath.IsLocal(rel) {
		return real, false, nil
	}
	return filepath.ToSlash(rel), true, nil
}

// file is the hash of the file that messages call name and that lies at a path without
// links; one that has been hashed before, or was read by the engine, isn't read again.
func (p *fingerprints) file(name, at string) (string, error) {
	if hash, ok := p.known[name]; ok {
		return hash, nil
	}
	if p.count++; p.count > maxTrustedFiles {
		return "", fmt.Errorf("there are more than %d files to trust", maxTrustedFiles)
	}
	f, _, err := openfile.RegularIn(p.root, filepath.FromSlash(at))
	if errors.Is(err, openfile.ErrIrregular) {
		if info, err := p.root.Stat(filepath.FromSlash(at)); err == nil && info.IsDir() {
			return "", fmt.Errorf("%s is a link to a folder, which can't be trusted; put the files in its place", name)
		}
		return "", fmt.Errorf("%s is no regular file, and can't be trusted", name)
	}
	if err != nil {
		return "", fmt.Errorf("%s can't be read: %w", name, cause(err))
	}
	defer f.Close()
	left := maxTrustedBytes - p.bytes
	text, err := io.ReadAll(io.LimitReader(f, left+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s can't be read: %w", name, cause(err))
	case int64(len(text)) > left:
		return "", fmt.Errorf("the files to trust hold more than %d MiB together; %s is where it was reached", maxTrustedBytes>>20, name)
	}
	p.bytes += int64(len(text))
	hash := trust.Hash(text)
	p.known[name] = hash
	return hash, nil
}

// named is the hash of a file that a command names. Of one behind a link out of the
// project, such as the Python of a virtual environment, it is that of the place.
func (p *fingerprints) named(name string) (hash, outside string, err error) {
	if hash, ok := p.known[name]; ok {
		return hash, "", nil
	}
	at, inside, err := p.locate(name)
	if err != nil {
		return "", "", fmt.Errorf("%s can't be read: %w", name, cause(err))
	}
	if !inside {
		return trust.Hash([]byte("\x00a link out of the project, to " + at)), at, nil
	}
	hash, err = p.file(name, at)
	return hash, "", err
}

// below is the slash path of an absolute path below a root, "" where it lies elsewhere.
func below(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return strings.TrimPrefix(filepath.ToSlash(rel), "./")
}
