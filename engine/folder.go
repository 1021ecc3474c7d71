package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/userhome"
	"github.com/luahook/luahook/luabind/compile"
)

// folder is a place that hooks are read from: a project's .hooks, the user's
// configuration, that of a managed file, or one that an option names.
type folder struct {
	scope     hooks.Scope
	dir       string   // holds hooks.yaml
	file      string   // hooks.yaml itself; "": dir/hooks.yaml
	scripts   string   // holds *.lua and lib/; "": there are none that load by themselves
	root      string   // where relative paths of hooks.yaml start
	confined  bool     // nothing outside root is read, whatever links say
	named     bool     // by the user on the command line: whoever may write to it
	required  bool     // that hooks.yaml is missing is a fault
	ungranted string   // why its hooks.yaml must not grant anything; "": it may
	outside   []string // roots of projects, in which the user's folder and files must not lie
	around    int      // how far out the project is whose folder it is; 0: the one that the agent works in
	refused   error    // why the folder may not be used
}

// badFile is what can't be used, and the files to edit to mend it.
type badFile struct {
	err    error
	paths  []string
	policy hooks.Policy // of the entry that names it; "": that of the file
}

// folderContent is what a folder held.
type folderContent struct {
	folder    folder
	path      string        // of hooks.yaml
	text      []byte        // of hooks.yaml, as it was decoded; nil: there is none
	config    config.Config // as it was read; its hooks are listed
	listed    []*listedHook
	scripts   []file
	libraries map[string]file // by the name that require uses
	faults    []badFile
	room      room
	kept      bool // some of it isn't there any more

	pinnedRoot string // of the project, as it is pinned; "": not known
}

// patternRoot is where the relative patterns of paths start that the folder's hooks state,
// "" for the project's root: a project around has its own, and so has a folder that was named
// while there is no project, which is not where the agent happens to stand.
func (c *folderContent) patternRoot(root string) string {
	if c != nil && c.folder.around > 0 {
		return c.folder.root
	}
	if c == nil || !c.folder.named || isGit(filepath.Join(root, ".git")) {
		return ""
	}
	if _, err := os.Lstat(filepath.Join(root, ".hooks")); err == nil {
		return ""
	}
	if dir := c.folder.dir; filepath.Base(dir) != ".hooks" {
		return dir
	}
	return filepath.Dir(c.folder.dir)
}

// read takes in hooks.yaml, the scripts that load by themselves, those that
// hooks.yaml lists, and the libraries, as long as l lets it. What can't be used is a fault;
// the rest is read all the same.
func (f folder) read(l *loading) *folderContent {
	c := &folderContent{folder: f, path: cmp.Or(f.file, filepath.Join(f.dir, "hooks.yaml")), libraries: map[string]file{}}
	c.room.loading = l
	if f.refused == nil && !f.named {
		f.refused = f.refuse()
	}
	if f.refused != nil {
		c.failFolder(f.dir, f.refused)
		return c
	}
	c.readConfig()
	if c.config.Disabled {
		return c
	}
	listed := map[string]bool{}
	for _, h := range c.listed {
		if h.Script != "" {
			if p := c.readListed(h); p != "" {
				listed[p] = true
			}
		}
	}
	if f.scripts != "" {
		c.checkNames()
		c.readScripts(listed)
		c.readLibraries()
	}
	return c
}

// refuse says why the user's folder or that of a managed file may not be used. A
// project's was looked at where it was found.
func (f folder) refuse() error {
	if f.confined {
		return nil
	}
	if f.leadsInside(f.dir) {
		return errors.New("it lies in the project itself, which could have brought it along; set HOME or XDG_CONFIG_HOME to a folder outside of it")
	}
	info, err := os.Stat(f.dir)
	if err != nil {
		if link := danglingLink(f.dir); link != "" {
			return fmt.Errorf("%s is a link that leads nowhere, so the hooks behind it can't be read; mend or remove it", link)
		}
		return nil // said better, if it matters, by those who read in it
	}
	return refuseFolder(info)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// hidesHome tells whether what isn't there in a project may be missing because the environment
// says that the home folder is there: the account database has another one. A folder that is
// no project, as it holds neither a repository nor hooks, may well hold a home.
func hidesHome(root string) bool {
	return userhome.Account() != "" && (exists(filepath.Join(root, ".git")) || exists(filepath.Join(root, ".hooks")))
}

var errInside = errors.New("it lies in the project, which could change it, and isn't read as the user's own; copy it to where no project is, or list it in the project's hooks.yaml")

// leadsInside tells whether a file or folder of the user's, there or not, lies in a project by
// the links that lead to it, because the environment has named it so, or somebody has made a
// link. A project that the user's own home folder lies in holds the usual ones.
func (f folder) leadsInside(path string) bool {
	if len(f.outside) == 0 {
		return false
	}
	real := path
	for at := path; ; at = filepath.Dir(at) { // up to what is there
		if there, err := filepath.EvalSymlinks(at); err == nil {
			rest, _ := filepath.Rel(at, path)
			real = filepath.Join(there, rest)
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	for _, root := range f.outside {
		if root = withoutLinks(root); isWithin(root, real) && !holdsHome(root) && (exists(path) || hidesHome(root)) {
			return true
		}
	}
	return false
}

// danglingLink is the link on the way to a folder that isn't there, "" where none is to
// blame: a folder that isn't there holds no hooks, but nobody knows what one holds whose disk
// isn't mounted.
func danglingLink(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil {
			if _, err := os.Stat(at); err != nil {
				return at
			}
			return ""
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// readScripts reads the scripts that load by themselves.
func (c *folderContent) readScripts(listed map[string]bool) {
	if c.folder.leadsInside(c.folder.scripts) {
		c.failFolder(c.folder.scripts, errInside)
		return
	}
	entries, err := c.list(c.folder.scripts)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.failFolder(c.folder.scripts, cause(err))
	} else if err != nil && danglingLink(c.folder.scripts) != "" {
		c.failFolder(c.folder.scripts, errors.New("it is a link that leads nowhere, so the hooks behind it can't be read; mend or remove it"))
	}
	for _, d := range entries {
		p := filepath.Join(c.folder.scripts, d.Name())
		if !loadsByItself(d.Name()) || listed[p] {
			continue
		}
		if !c.work(fileWork) {
			return
		}
		if source, ok := c.readScript(p); ok && !isMeta(source.source) {
			c.scripts = append(c.scripts, source)
		}
	}
}

// checkNames finds files that would be left unread for how their names are written.
func (c *folderContent) checkNames() {
	f := c.folder
	check := func(dir string, rightly func(name string) string) {
		entries, _ := c.list(dir) // where it can't be read, read says so
		for _, d := range entries {
			if right := rightly(d.Name()); right != "" && right != d.Name() && !d.IsDir() {
				c.fail(filepath.Join(dir, d.Name()), fmt.Errorf("a file of this name is not read; it must be named %s", right))
			}
		}
	}
	check(f.dir, func(name string) string {
		if strings.EqualFold(name, "hooks.yaml") || strings.EqualFold(name, "hooks.yml") || strings.EqualFold(name, "hooks.json") {
			return "hooks.yaml"
		}
		return ""
	})
	check(f.scripts, func(name string) string {
		ext := filepath.Ext(name)
		right := strings.TrimSuffix(name, ext) + ".lua"
		if strings.EqualFold(ext, ".lua") && loadsByItself(right) {
			return right
		}
		return ""
	})
}

// loadsByItself tells whether a file of the folder is a hook script by its name.
func loadsByItself(name string) bool {
	return strings.HasSuffix(name, ".lua") && !strings.HasSuffix(name, "_test.lua") && name[0] != '_' && name[0] != '.'
}

// isMeta tells whether the first line marks a file of definitions for editors.
func isMeta(source string) bool {
	first, _, _ := strings.Cut(source, "\n")
	words := strings.Fields(first)
	return len(words) > 0 && words[0] == "---@meta"
}

// fail notes a file that can't be used; more are files that could mend it as well.
func (c *folderContent) fail(path string, err error, more ...string) {
	e := hooks.AsError(err, hooks.KindLoad)
	if e.Source == "" {
		e.Source = c.folder.display(path)
	}
	c.faults = append(c.faults, badFile{err: e, paths: append(more, path)})
}

// failFolder notes a folder that can't be used, which no edit of a file mends.
func (c *folderContent) failFolder(path string, err error) {
	c.faults = append(c.faults, badFile{err: &hooks.Error{Kind: hooks.KindLoad, Source: c.folder.display(path), Message: err.Error(), Err: err}})
}

// readScript reads one Lua file; a failure is a fault.
func (c *folderContent) readScript(p string) (file, bool) {
	text, err := c.folder.readFile(p, compile.MaxSourceBytes)
	if err != nil {
		c.fail(p, cause(err))
		return file{}, false
	}
	if !c.take(len(text)) || !c.work(int64(len(text)/16)) {
		return file{}, false
	}
	return file{path: p, display: c.folder.display(p), source: string(text)}, true
}

// readLibraries reads lib/**/*.lua for require: lib/a/b.lua is "a.b".
func (c *folderContent) readLibraries() {
	root := filepath.Join(c.folder.scripts, "lib")
	if info, err := os.Lstat(root); err == nil && info.IsDir() {
		c.readLibrariesIn(root, "")
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.failFolder(root, cause(err))
	}
}

// readLibrariesIn reads those in a folder; prefix is what their names begin with.
func (c *folderContent) readLibrariesIn(dir, prefix string) {
	entries, err := c.list(dir)
	if err != nil {
		c.failFolder(dir, cause(err))
	}
	for _, d := range entries {
		p := filepath.Join(dir, d.Name())
		if d.IsDir() {
			c.readLibrariesIn(p, prefix+d.Name()+".")
			continue
		}
		if !loadsByItself(d.Name()) {
			continue
		}
		if !c.work(fileWork) {
			return
		}
		if source, ok := c.readScript(p); ok {
			c.libraries[prefix+strings.TrimSuffix(d.Name(), ".lua")] = source
		}
	}
}

// readListed reads the script that an entry of hooks.yaml names and returns its
// path. Of one that is run as a command only that it can be is looked at.
func (c *folderContent) readListed(h *listedHook) string {
	f := c.folder
	inRoot := f
	inRoot.confined = f.confined || f.scope != hooks.ScopeProject // else a link in the project could lead anywhere
	type candidate struct {
		path string
		from folder
	}
	var candidates []candidate
	name := filepath.FromSlash(h.Script)
	if filepath.IsAbs(h.Script) {
		candidates = []candidate{{filepath.Clean(name), f}}
	} else {
		if !f.confined { // beside the configuration first, then from the root
			candidates = append(candidates, candidate{filepath.Join(f.dir, name), f})
		}
		// A program of the project's must not run because a file is missing elsewhere.
		if f.root != "" && (f.confined || f.root != f.dir && !(f.scope == hooks.ScopeManaged && h.IsCommand())) {
			candidates = append(candidates, candidate{filepath.Join(f.root, name), inRoot})
		}
	}
	for i, at := range candidates {
		if source, again := c.room.read[at.path]; again && !h.IsCommand() {
			h.file = source
			return at.path
		}
		size := int64(compile.MaxSourceBytes)
		if h.IsCommand() {
			size = 0
		}
		if !c.work(fileWork) {
			return ""
		}
		text, err := at.from.readFile(at.path, size)
		if errors.Is(err, fs.ErrNotExist) && i+1 < len(candidates) {
			continue
		}
		h.file = file{path: at.path, display: f.display(at.path), source: string(text), fromProject: i > 0 && f.scope == hooks.ScopeManaged}
		if err != nil {
			if !h.Options.Disabled {
				c.fail(c.path, h.errorf("script %s: %v", h.Script, cause(err)), at.path)
				c.faults[len(c.faults)-1].policy = h.Options.OnFailure
			}
			h.Options.Disabled = true
		} else if !h.IsCommand() {
			h.Options.Disabled = h.Options.Disabled || !c.take(len(text)) || !c.work(int64(len(text)/16))
			c.room.keep(h.file)
		}
		return at.path
	}
	return ""
}

func isFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("hooks folder %s: %w", dir, cause(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("hooks folder %s: not a folder", dir)
	}
	return nil
}

// unread lists the Lua files in folders beside lib that nothing loads: neither does
// hooks.yaml list them, nor does a command of it name them.
func (c *folderContent) unread() (paths []string) {
	if c.folder.scripts == "" {
		return nil
	}
	entries, _ := c.list(c.folder.scripts) // where it can't be read, that was said
	const most = 100                       // folders, and files of each: more need not be told
	folders := 0
	for _, d := range entries {
		if !d.IsDir() || d.Name() == "lib" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") {
			continue
		}
		if folders++; folders > most || !c.work(entryWork*most) {
			break
		}
		dir := filepath.Join(c.folder.scripts, d.Name())
		opened, err := openfile.Folder(dir)
		if err != nil {
			continue
		}
		files, _ := opened.ReadDir(most)
		_ = opened.Close() // opened to read
		for _, f := range files {
			if path := filepath.Join(dir, f.Name()); !f.IsDir() && loadsByItself(f.Name()) && !c.names(path) {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// names tells whether an entry of hooks.yaml is this file, or a command that names it.
func (c *folderContent) names(path string) bool {
	name := filepath.Base(path)
	return slices.ContainsFunc(c.listed, func(h *listedHook) bool {
		return h.file.path == path || strings.Contains(h.Command, name) ||
			slices.ContainsFunc(h.Args, func(arg string) bool { return strings.Contains(arg, name) })
	})
}

// sum is a hash of all that was read, and of where.
func (c *folderContent) sum() string {
	h := sha256.New()
	add := func(parts ...string) {
		for _, p := range parts {
			fmt.Fprintf(h, "%d %s\n", len(p), p)
		}
	}
	add(c.path, string(c.text))
	for _, f := range c.scripts {
		add(f.path, f.source)
	}
	for _, name := range slices.Sorted(maps.Keys(c.libraries)) {
		add(name, c.libraries[name].source)
	}
	for _, path := range slices.Sorted(maps.Keys(c.room.read)) {
		add(path, c.room.read[path].source)
	}
	return hex.EncodeToString(h.Sum(nil))
}
