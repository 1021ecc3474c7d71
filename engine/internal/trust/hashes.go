package trust

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/openfile"
)

// Bounds of what is hashed of one project.
const (
	maxTrustedFiles   = 10_000
	maxTrustedBytes   = 64 << 20
	maxTrustedFolders = 10_000
	maxTrustedDepth   = 64 // of folders; opening one takes longer the deeper it lies
)

// fileHashes are the hashes of a project's files as they are now: of those that the
// engine has read, of the bytes that it has read. Paths are slash paths below the root.
// It belongs to one goroutine and is to be closed.
type fileHashes struct {
	root  *os.Root
	path  string            // of the root, without links
	known map[string]string // hashes by path; what is asked for twice is read once
	strays

	bytes   int64 // read so far
	count   int   // files read so far
	lookups int   // of words of commands so far
}

// newFileHashes opens the project at root; read are hashes of files by their path.
func newFileHashes(root string, read map[string]string) (*fileHashes, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, fmt.Errorf("the project %s can't be looked at: %w", root, source.Cause(err))
	}
	opened, err := openfile.Root(real)
	if err != nil {
		return nil, fmt.Errorf("the project %s can't be looked at: %w", root, source.Cause(err))
	}
	p := &fileHashes{root: opened, path: real, known: map[string]string{}}
	maps.Copy(p.known, read)
	return p, nil
}

func (p *fileHashes) close() { _ = p.root.Close() } // opened to read

// folder hashes all that lies in the hooks folder, but for what skip tells, and for stray
// files that no hook has to do with, by what the folder's files and c say; c may be nil. A
// link counts as the file that it leads to. What can't be pinned is an error: a folder
// behind a link, a link out of the project, what is neither file nor folder.
func (p *fileHashes) folder(dir string, c *source.Content, skip func(name string) bool) (map[string]string, error) {
	names, err := p.list(dir, skip)
	if err != nil {
		return nil, err
	}
	p.readTexts(c)
	files := map[string]string{}
	for _, name := range names {
		if files[name], err = p.inside(name); err != nil {
			return nil, err
		}
	}
	return files, p.addNeeded(files)
}

// noteStrays begins to look for stray files, those that are pinned among them, whether they
// are there or not.
func (p *fileHashes) noteStrays(dir string, pin *Pin) {
	p.dir = dir
	if pin == nil {
		return
	}
	for name := range pin.Files {
		p.strays.add(name)
	}
}

// list lists the files in the hooks folder, but for those that skip tells and for stray
// ones, which are noted.
func (p *fileHashes) list(dir string, skip func(name string) bool) (names []string, err error) {
	folders := 0
	err = fs.WalkDir(openfile.Tree(p.root), dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == dir: // which has no files then
			return nil
		case err != nil:
			return fmt.Errorf("%s can't be read: %w", name, source.Cause(err))
		case d.IsDir():
			folders++
			return tooManyFolders(strings.TrimPrefix(name, dir), folders)
		case skip(name) || p.strays.add(name):
			return nil
		case len(names) == maxTrustedFiles:
			return errTooManyFiles
		}
		names = append(names, name)
		return nil
	})
	return names, err
}

// tooManyFolders refuses a folder of the hooks folder that lies too deep, or is one too many.
func tooManyFolders(below string, folders int) error {
	switch {
	case strings.Count(below, "/") > maxTrustedDepth:
		return fmt.Errorf("there are folders more than %d deep (%.60s...), which can't be trusted; remove them", maxTrustedDepth, below)
	case folders > maxTrustedFolders:
		return fmt.Errorf("there are more than %d folders, which can't be trusted; remove some", maxTrustedFolders)
	}
	return nil
}

var errTooManyFiles = fmt.Errorf("there are more than %d files to trust", maxTrustedFiles)

// addNeeded hashes the stray files that are there and that a hook may have to do with.
func (p *fileHashes) addNeeded(files map[string]string) error {
	for _, name := range p.needed() {
		if _, err := p.root.Lstat(filepath.FromSlash(name)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		hash, err := p.inside(name)
		if err != nil {
			return err
		}
		files[name] = hash
	}
	return nil
}

// readTexts looks for stray files in what makes Lua scripts read something: their own
// texts and hooks.yaml, which may hold their options.
func (p *fileHashes) readTexts(c *source.Content) {
	if c == nil || !reads(c) {
		return
	}
	for line := range strings.Lines(string(c.Text)) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") { // such as the one about the schema
			p.strays.read("", []byte(line))
		}
	}
	for _, f := range c.Scripts {
		p.strays.read("", []byte(f.Source))
	}
	for _, f := range c.Libraries {
		p.strays.read("", []byte(f.Source))
	}
	for _, h := range c.Hooks {
		p.strays.read("", []byte(h.File.Source))
	}
}

// readCommand does that for a command and the files that it names.
func (p *fileHashes) readCommand(h *source.Hook, names []string) {
	for _, text := range append([]string{h.Command}, h.Args...) {
		p.strays.read("", []byte(text))
	}
	for _, name := range names {
		if at, inside, err := p.locate(name); err == nil && inside && len(p.strays.names) > 0 {
			if text, err := p.text(name, at); err == nil { // else pinning it says what is wrong
				p.strays.read(name, text)
			}
		}
	}
}

// reads reports whether a Lua script of the folder may have files read, or programs run.
func reads(c *source.Content) bool {
	may := func(g hooks.Grants) bool { return g.FSRead || len(g.Exec) > 0 }
	return may(c.Config.Grants) || slices.ContainsFunc(c.Hooks, func(h *source.Hook) bool { return may(h.Grants) })
}

// inside is the hash of a file that has to lie in the project.
func (p *fileHashes) inside(name string) (string, error) {
	at, inside, err := p.locate(name)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s can't be read: %w", name, source.Cause(err))
	case !inside:
		return "", fmt.Errorf("%s is a link out of the project, to %s, which can't be trusted", name, at)
	}
	return p.file(name, at)
}

// locate is where a path leads once its links are followed: a path below the root, or
// one outside of the project.
func (p *fileHashes) locate(name string) (at string, inside bool, err error) {
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
func (p *fileHashes) file(name, at string) (string, error) {
	if hash, ok := p.known[name]; ok {
		return hash, nil
	}
	text, err := p.text(name, at)
	if err != nil {
		return "", err
	}
	if !strings.HasSuffix(name, ".lua") { // which programs don't run, unless a command names it
		p.strays.read(name, text)
	}
	hash := Hash(text)
	p.known[name] = hash
	return hash, nil
}

// text is what such a file holds.
func (p *fileHashes) text(name, at string) ([]byte, error) {
	if p.count++; p.count > maxTrustedFiles {
		return nil, errTooManyFiles
	}
	f, _, err := openfile.RegularIn(p.root, filepath.FromSlash(at))
	if errors.Is(err, openfile.ErrIrregular) {
		if info, err := p.root.Stat(filepath.FromSlash(at)); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a link to a folder, which can't be trusted; put the files in its place", name)
		}
		return nil, fmt.Errorf("%s is no regular file, and can't be trusted", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", name, source.Cause(err))
	}
	defer f.Close()
	left := maxTrustedBytes - p.bytes
	text, err := io.ReadAll(io.LimitReader(f, left+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s can't be read: %w", name, source.Cause(err))
	case int64(len(text)) > left:
		return nil, fmt.Errorf("the files to trust hold more than %d MiB together; %s is where it was reached", maxTrustedBytes>>20, name)
	}
	p.bytes += int64(len(text))
	return text, nil
}

// named is the hash of a file that a command names. Of one behind a link out of the
// project, such as the Python of a virtual environment, it is that of the place.
func (p *fileHashes) named(name string) (hash, outside string, err error) {
	if hash, ok := p.known[name]; ok {
		return hash, "", nil
	}
	at, inside, err := p.locate(name)
	if err != nil {
		return "", "", fmt.Errorf("%s can't be read: %w", name, source.Cause(err))
	}
	if !inside {
		return Hash([]byte("\x00a link out of the project, to " + at)), at, nil
	}
	hash, err = p.file(name, at)
	return hash, "", err
}
