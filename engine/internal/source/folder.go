// Package source reads the files and folders that hooks come from: hooks.yaml, scripts and
// libraries, whose they are, how much of them there may be, what has vanished, and what to
// watch for changes. It compiles and runs nothing; whether what it reads is trusted is for
// package trust, and what becomes of it for package engine.
package source

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

// Folder is a place that hooks are read from: a project's .hooks, the user's
// configuration, that of a managed file, or one that an option names.
type Folder struct {
	Scope     hooks.Scope
	Dir       string   // holds hooks.yaml
	File      string   // hooks.yaml itself; "": dir/hooks.yaml
	Scripts   string   // holds *.lua and lib/; "": there are none that load by themselves
	Root      string   // where relative paths of hooks.yaml start
	Confined  bool     // nothing outside root is read, whatever links say
	Explicit  bool     // by the user on the command line: whoever may write to it
	Required  bool     // that hooks.yaml is missing is a fault
	Ungranted string   // why its hooks.yaml must not grant anything; "": it may
	Outside   []string // roots of projects, in which the user's folder and files must not lie
	Around    int      // how far out the project is whose folder it is; 0: the one that the agent works in
	Refused   error    // why the folder may not be used
}

// FileError is what can't be used, and the files to edit to fix it.
type FileError struct {
	Err    error
	Paths  []string
	Policy hooks.Policy // of the entry that names it; "": that of the file
}

// Content is what a folder held.
type Content struct {
	Folder    Folder
	Path      string        // of hooks.yaml
	Text      []byte        // of hooks.yaml, as it was decoded; nil: there is none
	Config    config.Config // as it was read; its hooks are listed
	Hooks     []*Hook
	Scripts   []File
	Libraries map[string]File // by the name that require uses
	Errors    []FileError
	used      usage
	Kept      bool // some of it isn't there any more

	PinnedRoot string // of the project, as it is pinned; "": not known

	read          *Content // what was read, where texts were edited; nil: none was
	EditedLibrary bool     // a library was edited, which any script may use
}

// Budget is what reading and loading the folder may take.
func (c *Content) Budget() *Budget { return c.used.budget }

// PatternRoot is where the relative patterns of paths start that the folder's hooks state,
// "" for the project's root: a project around has its own, and so has a folder that was named
// while there is no project, which is not where the agent happens to stand.
func (c *Content) PatternRoot(root string) string {
	if c != nil && c.Folder.Around > 0 {
		return c.Folder.Root
	}
	if c == nil || !c.Folder.Explicit || IsGit(filepath.Join(root, ".git")) {
		return ""
	}
	if _, err := os.Lstat(filepath.Join(root, ".hooks")); err == nil {
		return ""
	}
	if dir := c.Folder.Dir; filepath.Base(dir) != ".hooks" {
		return dir
	}
	return filepath.Dir(c.Folder.Dir)
}

// Read takes in hooks.yaml, the scripts that load by themselves, those that
// hooks.yaml lists, and the libraries, as long as l lets it. What can't be used is a fault;
// the rest is read all the same.
func (f Folder) Read(l *Budget) *Content {
	c := &Content{Folder: f, Path: cmp.Or(f.File, filepath.Join(f.Dir, "hooks.yaml")), Libraries: map[string]File{}}
	c.used.budget = l
	if f.Refused == nil && !f.Explicit {
		f.Refused = f.refuse()
	}
	if f.Refused != nil {
		c.failFolder(f.Dir, f.Refused)
		return c
	}
	c.readConfig()
	if c.Config.Disabled {
		return c
	}
	listed := map[string]bool{}
	for _, h := range c.Hooks {
		if h.Script != "" {
			if p := c.readListed(h); p != "" {
				listed[p] = true
			}
		}
	}
	if f.Scripts != "" {
		c.checkNames()
		c.readScripts(listed)
		c.readLibraries()
	}
	return c
}

// refuse says why the user's folder or that of a managed file may not be used. A
// project's was looked at where it was found.
func (f Folder) refuse() error {
	if f.Confined {
		return nil
	}
	if f.leadsInside(f.Dir) {
		return errors.New("it lies in the project itself, which could have brought it along; set HOME or XDG_CONFIG_HOME to a folder outside of it")
	}
	info, err := os.Stat(f.Dir)
	if err != nil {
		if link := danglingLink(f.Dir); link != "" {
			return fmt.Errorf("%s is a link that leads nowhere, so the hooks behind it can't be read; fix or remove it", link)
		}
		return nil // said better, if it matters, by those who read in it
	}
	return RefuseFolder(info)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// hidesHome reports whether what isn't there in a project may be missing because the environment
// says that the home folder is there: the account database has another one. A folder that is
// no project, as it holds neither a repository nor hooks, may well hold a home.
func hidesHome(root string) bool {
	return userhome.Account() != "" && (exists(filepath.Join(root, ".git")) || exists(filepath.Join(root, ".hooks")))
}

var errInside = errors.New("it lies in the project, which could change it, and isn't read as the user's own; copy it to where no project is, or list it in the project's hooks.yaml")

// leadsInside reports whether a file or folder of the user's, there or not, lies in a project by
// the links that lead to it, because the environment has named it so, or somebody has made a
// link. A project that the user's own home folder lies in holds the usual ones.
func (f Folder) leadsInside(path string) bool {
	if len(f.Outside) == 0 {
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
	for _, root := range f.Outside {
		if root = WithoutLinks(root); IsWithin(root, real) && !HoldsHome(root) && (exists(path) || hidesHome(root)) {
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
func (c *Content) readScripts(listed map[string]bool) {
	if c.Folder.leadsInside(c.Folder.Scripts) {
		c.failFolder(c.Folder.Scripts, errInside)
		return
	}
	entries, err := c.list(c.Folder.Scripts)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.failFolder(c.Folder.Scripts, Cause(err))
	} else if err != nil && danglingLink(c.Folder.Scripts) != "" {
		c.failFolder(c.Folder.Scripts, errors.New("it is a link that leads nowhere, so the hooks behind it can't be read; fix or remove it"))
	}
	for _, d := range entries {
		p := filepath.Join(c.Folder.Scripts, d.Name())
		if !LoadsByItself(d.Name()) || listed[p] {
			continue
		}
		if !c.spend(fileWork) {
			return
		}
		if source, ok := c.readScript(p); ok && !isMeta(source.Source) {
			c.Scripts = append(c.Scripts, source)
		}
	}
}

// checkNames finds files that would be left unread for how their names are written.
func (c *Content) checkNames() {
	f := c.Folder
	check := func(dir string, rightly func(name string) string) {
		entries, _ := c.list(dir) // where it can't be read, read says so
		for _, d := range entries {
			if right := rightly(d.Name()); right != "" && right != d.Name() && !d.IsDir() {
				c.fail(filepath.Join(dir, d.Name()), fmt.Errorf("a file of this name is not read; it must be named %s", right))
			}
		}
	}
	check(f.Dir, func(name string) string {
		if strings.EqualFold(name, "hooks.yaml") || strings.EqualFold(name, "hooks.yml") || strings.EqualFold(name, "hooks.json") {
			return "hooks.yaml"
		}
		return ""
	})
	check(f.Scripts, func(name string) string {
		ext := filepath.Ext(name)
		right := strings.TrimSuffix(name, ext) + ".lua"
		if strings.EqualFold(ext, ".lua") && LoadsByItself(right) {
			return right
		}
		return ""
	})
}

// LoadsByItself reports whether a file of the folder is a hook script by its name.
func LoadsByItself(name string) bool {
	return strings.HasSuffix(name, ".lua") && !strings.HasSuffix(name, "_test.lua") && name[0] != '_' && name[0] != '.'
}

// isMeta reports whether the first line marks a file of definitions for editors.
func isMeta(source string) bool {
	first, _, _ := strings.Cut(source, "\n")
	words := strings.Fields(first)
	return len(words) > 0 && words[0] == "---@meta"
}

// fail notes a file that can't be used; more are files that could fix it as well.
func (c *Content) fail(path string, err error, more ...string) {
	e := hooks.AsError(err, hooks.KindLoad)
	if e.Source == "" {
		e.Source = c.Folder.Display(path)
	}
	c.Errors = append(c.Errors, FileError{Err: e, Paths: append(more, path)})
}

// failFolder notes a folder that can't be used, which no edit of a file fixes.
func (c *Content) failFolder(path string, err error) {
	c.Errors = append(c.Errors, FileError{Err: &hooks.Error{Kind: hooks.KindLoad, Source: c.Folder.Display(path), Message: err.Error(), Err: err}})
}

// readScript reads one Lua file; a failure is a fault.
func (c *Content) readScript(p string) (File, bool) {
	text, err := c.Folder.readFile(p, compile.MaxSourceBytes)
	if err != nil {
		c.fail(p, Cause(err))
		return File{}, false
	}
	if !c.countFile(len(text)) || !c.spend(int64(len(text)/16)) {
		return File{}, false
	}
	return File{Path: p, Display: c.Folder.Display(p), Source: string(text)}, true
}

// readLibraries reads lib/**/*.lua for require: lib/a/b.lua is "a.b".
func (c *Content) readLibraries() {
	root := filepath.Join(c.Folder.Scripts, "lib")
	if info, err := os.Lstat(root); err == nil && info.IsDir() {
		c.readLibrariesIn(root, "")
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.failFolder(root, Cause(err))
	}
}

// readLibrariesIn reads those in a folder; prefix is what their names begin with.
func (c *Content) readLibrariesIn(dir, prefix string) {
	entries, err := c.list(dir)
	if err != nil {
		c.failFolder(dir, Cause(err))
	}
	for _, d := range entries {
		p := filepath.Join(dir, d.Name())
		if d.IsDir() {
			c.readLibrariesIn(p, prefix+d.Name()+".")
			continue
		}
		if !LoadsByItself(d.Name()) {
			continue
		}
		if !c.spend(fileWork) {
			return
		}
		if source, ok := c.readScript(p); ok {
			c.Libraries[prefix+strings.TrimSuffix(d.Name(), ".lua")] = source
		}
	}
}

// readListed reads the script that an entry of hooks.yaml names and returns its
// path. Of one that is run as a command only that it can be is looked at.
func (c *Content) readListed(h *Hook) string {
	f := c.Folder
	if strings.HasSuffix(h.Script, "_test.lua") && !h.IsCommand() {
		if !h.Options.Disabled {
			c.fail(c.Path, h.Mistake("script %s: a file of this name holds tests, and no hook of it is loaded; \"luahook test\" runs it", h.Script))
			c.Errors[len(c.Errors)-1].Policy = h.Options.OnFailure
		}
		h.Options.Disabled = true
		return ""
	}
	inRoot := f
	inRoot.Confined = f.Confined || f.Scope != hooks.ScopeProject // else a link in the project could lead anywhere
	type candidate struct {
		path string
		from Folder
	}
	var candidates []candidate
	name := filepath.FromSlash(h.Script)
	if filepath.IsAbs(h.Script) {
		candidates = []candidate{{filepath.Clean(name), f}}
	} else {
		if !f.Confined { // beside the configuration first, then from the root
			candidates = append(candidates, candidate{filepath.Join(f.Dir, name), f})
		}
		// A program of the project's must not run because a file is missing elsewhere.
		if f.Root != "" && (f.Confined || f.Root != f.Dir && !(f.Scope == hooks.ScopeManaged && h.IsCommand())) {
			candidates = append(candidates, candidate{filepath.Join(f.Root, name), inRoot})
		}
	}
	for i, at := range candidates {
		if source, again := c.used.read[at.path]; again && !h.IsCommand() {
			h.File = source
			return at.path
		}
		size := int64(compile.MaxSourceBytes)
		if h.IsCommand() {
			size = 0
		}
		if !c.spend(fileWork) {
			return ""
		}
		text, err := at.from.readFile(at.path, size)
		if errors.Is(err, fs.ErrNotExist) && i+1 < len(candidates) {
			continue
		}
		h.File = File{Path: at.path, Display: f.Display(at.path), Source: string(text), FromProject: i > 0 && f.Scope == hooks.ScopeManaged}
		if err != nil {
			if !h.Options.Disabled {
				c.fail(c.Path, h.Mistake("script %s: %v", h.Script, Cause(err)), at.path)
				c.Errors[len(c.Errors)-1].Policy = h.Options.OnFailure
			}
			h.Options.Disabled = true
		} else if !h.IsCommand() {
			h.Options.Disabled = h.Options.Disabled || !c.countFile(len(text)) || !c.spend(int64(len(text)/16))
			c.used.keep(h.File)
		}
		return at.path
	}
	return ""
}

func IsFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("hooks folder %s: %w", dir, Cause(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("hooks folder %s: not a folder", dir)
	}
	return nil
}

// UnreadScripts lists the Lua files in folders beside lib that nothing loads: neither does
// hooks.yaml list them, nor does a command of it name them.
func (c *Content) UnreadScripts() (paths []string) {
	if c.Folder.Scripts == "" {
		return nil
	}
	entries, _ := c.list(c.Folder.Scripts) // where it can't be read, that was said
	const most = 100                       // folders, and files of each: more need not be told
	folders := 0
	for _, d := range entries {
		if !d.IsDir() || d.Name() == "lib" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") {
			continue
		}
		if folders++; folders > most || !c.spend(entryWork*most) {
			break
		}
		dir := filepath.Join(c.Folder.Scripts, d.Name())
		opened, err := openfile.Folder(dir)
		if err != nil {
			continue
		}
		files, _ := opened.ReadDir(most)
		_ = opened.Close() // opened to read
		for _, f := range files {
			if path := filepath.Join(dir, f.Name()); !f.IsDir() && LoadsByItself(f.Name()) && !c.names(path) {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// names reports whether an entry of hooks.yaml is this file, or a command that names it.
func (c *Content) names(path string) bool {
	name := filepath.Base(path)
	return slices.ContainsFunc(c.Hooks, func(h *Hook) bool {
		return h.File.Path == path || strings.Contains(h.Command, name) ||
			slices.ContainsFunc(h.Args, func(arg string) bool { return strings.Contains(arg, name) })
	})
}

// Sum is a hash of all that was read, and of where.
func (c *Content) Sum() string {
	h := sha256.New()
	add := func(parts ...string) {
		for _, p := range parts {
			fmt.Fprintf(h, "%d %s\n", len(p), p)
		}
	}
	add(c.Path, string(c.Text))
	for _, f := range c.Scripts {
		add(f.Path, f.Source)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Libraries)) {
		add(name, c.Libraries[name].Source)
	}
	for _, path := range slices.Sorted(maps.Keys(c.used.read)) {
		add(path, c.used.read[path].Source)
	}
	return hex.EncodeToString(h.Sum(nil))
}
