package check

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/userhome"
	"github.com/luahook/luahook/luabind/compile"
)

// Folder is a folder of hooks.
type Folder struct {
	Dir     string // where hooks.yaml lies
	Scripts string // where the scripts lie
	Root    string // of the project; "": the user's own
}

// Loaded is what the engine says of the folders once it has loaded them.
type Loaded struct {
	Hooks  []engine.HookInfo
	Errors []error
	Around []string // folders of hooks of the projects around, which aren't meant

	Root     string                // of the project that Commands belong to
	Commands []engine.SurveyedHook // its command hooks, whether they are trusted or not
}

// Report is what a check finds.
type Report struct {
	Hooks    int       `json:"hooks"`
	Files    int       `json:"files"`
	Problems []Problem `json:"problems"`
}

// source is a file that is looked at.
type source struct {
	path, shown, text string
	err               error // why it can't be read
	role              role
}

type role int

const (
	script  role = iota // loads by itself, or hooks.yaml lists it
	library             // that scripts require
	test                // a test of a script
	unread              // nothing loads it
	other               // hooks.yaml
)

// checker checks folders as a whole.
type checker struct {
	folders []Folder
	loaded  Loaded
	files   []*source
	report  Report
	size    int             // bytes of the files that were read
	unasked map[string]bool // scripts that the engine hasn't loaded, as they use a capability while they load
}

// Folders checks all files of folders of hooks, and with them what the engine says. only are the files and folders that are
// meant; none: all.
func Folders(folders []Folder, loaded Loaded, only []string) Report {
	c := &checker{folders: folders, loaded: loaded, unasked: map[string]bool{}}
	for _, f := range folders {
		c.list(f)
	}
	c.listed()
	c.scripts()
	c.tellErrors()
	c.tellUnread()
	c.tellNames()
	c.tellForeignPrograms()
	c.tellToolsOfConfigs()
	return c.result(only)
}

// Bounds of what is looked at of a folder.
const (
	maxFiles  = 5000
	maxDepth  = 8
	maxConfig = 1 << 20 // bytes of hooks.yaml
	maxSize   = 32 << 20
)

// list finds the files of a folder.
func (c *checker) list(f Folder) {
	if f.Scripts != f.Dir { // the user's: scripts beside hooks/ are read by nobody
		for _, name := range luaFiles(f.Dir) {
			c.add(f, filepath.Join(f.Dir, name), unread)
		}
	}
	for _, name := range []string{"hooks.yaml"} {
		if at := filepath.Join(f.Dir, name); isFile(at) {
			c.add(f, at, other)
		}
	}
	_ = filepath.WalkDir(f.Scripts, func(p string, d fs.DirEntry, err error) error { // what can't be read the engine tells
		rel, _ := filepath.Rel(f.Scripts, p)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil, len(c.files) >= maxFiles:
			return fs.SkipDir
		case d.IsDir():
			if rel != "." && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")) || strings.Count(rel, "/") >= maxDepth {
				return fs.SkipDir
			}
		case !strings.HasSuffix(p, ".lua"), strings.HasPrefix(d.Name(), "."), strings.HasPrefix(d.Name(), "_") && !strings.Contains(rel, "/"):
		case strings.HasSuffix(p, "_test.lua"):
			c.add(f, p, test)
		case strings.HasPrefix(rel, "lib/"):
			c.add(f, p, library)
		case strings.Contains(rel, "/"):
			c.add(f, p, unread)
		default:
			c.add(f, p, script)
		}
		return nil
	})
}

// luaFiles are the names of the Lua files right in a folder.
func luaFiles(dir string) (names []string) {
	opened, err := openfile.Folder(dir)
	if err != nil {
		return nil
	}
	defer opened.Close()
	entries, _ := opened.ReadDir(maxFiles)
	for _, d := range entries {
		if !d.IsDir() && strings.HasSuffix(d.Name(), ".lua") && !strings.HasPrefix(d.Name(), ".") && !strings.HasPrefix(d.Name(), "_") {
			names = append(names, d.Name())
		}
	}
	slices.Sort(names)
	return names
}

func isFile(path string) bool {
	f, _, err := openfile.Regular(path)
	if err != nil {
		return false
	}
	_ = f.Close() // opened to read
	return true
}

func (c *checker) add(f Folder, p string, as role) *source {
	s := &source{path: p, shown: f.display(p), role: as}
	if c.size > maxSize {
		s.err = errTooMuch
	} else if text, err := f.read(p); err != nil {
		s.err = err
	} else {
		s.text = string(text)
		c.size += len(text)
	}
	if as == script && strings.HasPrefix(s.text, "---@meta") {
		return s // definitions for an editor
	}
	c.files = append(c.files, s)
	return s
}

var errTooMuch = fmt.Errorf("the files before this one are larger than %d MiB together; it and those after it aren't checked", maxSize>>20)

// read reads a file. No link of a project leads out of it: the lines of what lies elsewhere, a key or the environment, would
// stand in the report.
func (f Folder) read(p string) ([]byte, error) {
	within := f.Root
	if rel, err := filepath.Rel(within, p); within != "" && (err != nil || !filepath.IsLocal(rel)) {
		within = f.Dir
	}
	if within == "" {
		return openfile.Read(p, maxConfig)
	}
	rel, err := filepath.Rel(within, p)
	if err != nil {
		return nil, err
	}
	root, err := openfile.Root(within)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return openfile.ReadIn(root, rel, maxConfig)
}

// display names a file as the engine does.
func (f Folder) display(p string) string { return terminal.Shown(f.name(p)) }

func (f Folder) name(p string) string {
	if rel, err := filepath.Rel(f.Root, p); err == nil && f.Root != "" && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if home := userhome.Dir(); home != "" {
		if rel, err := filepath.Rel(home, p); err == nil && filepath.IsLocal(rel) {
			return path.Join("~", filepath.ToSlash(rel))
		}
	}
	return filepath.ToSlash(p)
}

// listed takes in the scripts that hooks.yaml lists: those that the engine has hooks of, or can't use.
func (c *checker) listed() {
	shown := map[string]bool{}
	for _, h := range c.loaded.Hooks {
		if h.Handler == hooks.HandlerLua {
			file, _ := cutNumber(h.Source)
			shown[file] = true
		}
	}
	for _, err := range c.loaded.Errors {
		shown[fileOf(hooks.AsError(err, hooks.KindLoad).Source)] = true
	}
	for _, s := range c.files {
		if s.role == unread && (shown[s.shown] || c.configured(s)) {
			s.role = script
		}
		delete(shown, s.shown)
	}
	for file := range shown {
		for _, f := range c.folders {
			if p := filepath.Join(f.Root, filepath.FromSlash(file)); f.Root != "" && strings.HasSuffix(file, ".lua") && filepath.IsLocal(file) && isFile(p) {
				c.add(f, p, script)
				break
			}
		}
	}
}

// configured reports whether a hooks.yaml has the name of a script in it: it lists it, or a command that reads it.
func (c *checker) configured(s *source) bool {
	return slices.ContainsFunc(c.files, func(config *source) bool {
		return config.role == other && strings.Contains(config.text, filepath.Base(s.path))
	})
}

// scripts checks each file by itself.
func (c *checker) scripts() {
	grants, most := map[string]hooks.Grants{}, map[string]engine.HookInfo{}
	for _, h := range c.loaded.Hooks {
		file, _ := cutNumber(h.Source)
		grants[file] = grants[file].With(h.Grants)
		most[file] = h
	}
	globals := map[string]bool{}
	for _, s := range c.files {
		if s.role == library && s.err == nil {
			if f, err := read(s.shown, s.text, Context{}); err == nil {
				for name := range f.assigned {
					globals[name] = true
				}
			}
		}
	}
	for _, s := range c.files {
		switch {
		case s.err != nil || s.role == other:
		case s.role == test || s.role == unread:
			if _, err := compile.Script(s.shown, s.text); err != nil {
				c.tell(fromError(err, s.shown, strings.Split(s.text, "\n")))
			} else if s.role == test {
				c.hooksInTests(s)
			}
		default:
			about := Context{Globals: globals}
			if given, known := grants[s.shown]; known && s.role == script {
				if !c.unread(s, "grant") {
					about.Grants = &given
				}
				if !c.unread(s, "limits") {
					about.MaxTimeout, about.MaxFrom = most[s.shown].TrustedMax, most[s.shown].MaxFrom
				}
			}
			c.tell(Script(s.shown, s.text, about)...)
		}
	}
}

// unread reports whether the hooks.yaml of the folder that a script lies in has that key, and isn't used, so that what it says
// isn't known.
func (c *checker) unread(s *source, key string) bool {
	for _, f := range c.folders {
		if rel, err := filepath.Rel(f.Dir, s.path); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		config := f.display(filepath.Join(f.Dir, "hooks.yaml"))
		if read := c.file(config); read == nil || !strings.Contains(read.text, key) {
			continue
		}
		fails := slices.ContainsFunc(c.loaded.Errors, func(err error) bool {
			return fileOf(hooks.AsError(err, hooks.KindLoad).Source) == config
		})
		if fails && !slices.ContainsFunc(c.loaded.Hooks, func(h engine.HookInfo) bool { return fileOf(h.Source) == config }) {
			return true
		}
	}
	return false
}

// fileOf is the file of a place with a line, or with a line and a column.
func fileOf(source string) string {
	file, n := cutNumber(source)
	if before, m := cutNumber(file); n > 0 && m > 0 {
		return before
	}
	return file
}

// hooksInTests finds hooks in a file of tests.
func (c *checker) hooksInTests(s *source) {
	f, err := read(s.shown, s.text, Context{})
	if err != nil {
		return // the compiler takes it, so there is nothing to tell
	}
	for _, h := range f.flow.hooks {
		f.report("hook-in-test", Warning, h.call.Func, "on(...) stands in a file of tests, whose hooks never run; put it into a file without _test in its name")
	}
	c.tell(f.problems...)
}

func (c *checker) tell(list ...Problem) { c.report.Problems = append(c.report.Problems, list...) }

// file is the file that messages call so; nil: it isn't one that is looked at.
func (c *checker) file(shown string) *source {
	for _, s := range c.files {
		if s.shown == shown {
			return s
		}
	}
	return nil
}

// grantedElsewhere is what the engine says of a call that hooks.yaml grants and that isn't granted now.
const grantedElsewhere = "not granted, though hooks.yaml grants it"

// tellErrors takes over what the engine refuses, where a rule hasn't found the same.
func (c *checker) tellErrors() {
	found := slices.Clone(c.report.Problems)
	for _, err := range c.loaded.Errors {
		p := fromError(err, "", nil)
		if s := c.file(p.File); s != nil {
			p = fromError(err, s.shown, strings.Split(s.text, "\n"))
		}
		if c.isAround(p.File) {
			continue
		}
		if call, why, found := strings.Cut(p.Text, ": "+grantedElsewhere); found {
			c.unasked[p.File] = true
			if !strings.Contains(why, "isn't trusted") { // the user's own have it
				continue
			}
			p.Level, p.Text = Warning, call+": a project can't be trusted whose scripts use what it grants them while they load: use it within a hook"
		}
		same := func(q Problem) bool {
			if q.File != p.File || q.Level != Error {
				return false
			}
			if strings.HasPrefix(p.Text, "on: ") && slices.Contains([]string{"unknown-event", "unknown-option", "bad-match"}, q.Code) {
				return true // the line of the call is told, the rule has that of the argument
			}
			return q.Line == p.Line
		}
		if !slices.ContainsFunc(found, same) {
			c.tell(p)
		}
	}
}

// isAround reports whether a file is of a project around.
func (c *checker) isAround(file string) bool {
	return slices.ContainsFunc(c.loaded.Around, func(dir string) bool { return strings.HasPrefix(file, Folder{}.display(dir)+"/") })
}

// tellUnread finds files that nothing loads, and scripts that register nothing.
func (c *checker) tellUnread() {
	used := map[string]bool{}
	off := false
	for _, h := range c.loaded.Hooks {
		file, _ := cutNumber(h.Source)
		used[file] = true
		off = off || strings.HasPrefix(h.Left, "hooks.enabled is false")
		if h.Left != "" && h.Handler == hooks.HandlerCommand && strings.HasPrefix(h.Left, "its match fits no event") {
			c.at(h.Source, "never-matches", Warning, "no event fits this match: "+strings.TrimPrefix(h.Left, "its match fits no event: "))
		}
	}
	for _, p := range c.report.Problems {
		used[p.File] = used[p.File] || p.Level == Error
	}
	required := map[string]bool{}
	for _, s := range c.files {
		switch s.role {
		case script, library:
			for name := range requires(s) {
				required[name] = true
			}
		}
	}
	if i := slices.IndexFunc(c.files, func(s *source) bool { return s.err == errTooMuch }); i >= 0 {
		c.at(c.files[i].shown+":1", "load", Error, errTooMuch.Error())
	}
	for _, s := range c.files {
		base := strings.TrimSuffix(filepath.Base(s.path), ".lua")
		switch {
		case s.err != nil && s.err != errTooMuch && s.role == test:
			c.at(s.shown+":1", "load", Error, "it can't be read: "+cause(s.err))
		case s.err != nil || used[s.shown] || c.unasked[s.shown] || required[base] || off || c.folderFails(s):
		case s.role == unread && !strings.HasPrefix(s.text, "---@meta"):
			where := "scripts lie in the folder of hooks itself, libraries in its lib/, and others are listed in hooks.yaml"
			if c.besideHooks(s) {
				where = "the user's scripts lie in " + c.userScripts() + ", or are listed in hooks.yaml"
			}
			c.at(s.shown+":1", "not-loaded", Warning, "nothing loads this file, so no hook of it ever runs: "+where)
		case s.role == script && !c.configured(s):
			c.at(s.shown+":1", "no-hooks", Warning, "this script registers no hook, so nothing of it ever runs: call on(...), move a library to lib/, or begin its name with _")
		}
	}
}

// folderFails reports whether the folder that a file lies in can't be used, so that nothing of it was loaded.
func (c *checker) folderFails(s *source) bool {
	return slices.ContainsFunc(c.report.Problems, func(p Problem) bool {
		return p.Level == Error && p.File != "" && strings.HasPrefix(s.shown, p.File+"/")
	})
}

// cause is why a file can't be read, without its name.
func cause(err error) string {
	var p *fs.PathError
	switch {
	case !errors.As(err, &p):
		return err.Error()
	case strings.HasPrefix(p.Err.Error(), "path escapes"): // what os.Root says of links
		return "a link leads out of the project"
	}
	return p.Err.Error()
}

func (c *checker) besideHooks(s *source) bool {
	return slices.ContainsFunc(c.folders, func(f Folder) bool { return f.Dir != f.Scripts && filepath.Dir(s.path) == f.Dir })
}

func (c *checker) userScripts() string {
	for _, f := range c.folders {
		if f.Dir != f.Scripts {
			return f.display(f.Scripts) + "/"
		}
	}
	return "hooks/"
}

// requires are the last parts of the names of the libraries that a script requires.
func requires(s *source) map[string]bool {
	names := map[string]bool{}
	f, err := read(s.shown, s.text, Context{})
	if err != nil {
		return names
	}
	for _, call := range f.calls {
		if f.isGlobal(call.Func, "require") && len(call.Args) == 1 {
			name := f.text(call.Args[0])
			names[name[strings.LastIndexByte(name, '.')+1:]] = true
		}
	}
	return names
}

// at tells a problem of a line.
func (c *checker) at(source, code string, level Level, text string) {
	var lines []string
	file, n := cutNumber(source)
	if s := c.file(file); s != nil {
		lines = strings.Split(s.text, "\n")
	}
	p := fromError(&hooks.Error{Source: source, Message: text}, file, lines)
	if p.Level, p.Code = level, code; n < 0 {
		p.Line = 1
	}
	c.tell(p)
}

// tellToolsOfConfigs finds matches in a hooks.yaml for tools that no tool, or only some agent's, has the name of.
func (c *checker) tellToolsOfConfigs() {
	for _, s := range c.files {
		if s.role != other || s.err != nil {
			continue
		}
		read, _ := config.Decode(s.shown, []byte(s.text)) // its mistakes the engine tells
		for i := range read.Hooks {
			h := &read.Hooks[i]
			pattern := h.Options.Match.Tool(hooks.Lookup(h.Event))
			code, text := "unlikely-tool", unlikelyTool(pattern, "match: {file: %q}")
			if tool, kind, name := hostName(pattern); text == "" && name != "" {
				code, text = "host-name", fmt.Sprintf("only some agents call this tool %s: match %q, which fits what every agent calls it, or {kind: %s}", name, tool, kind)
			}
			if text != "" {
				p := fromError(h.Errorf("match", "%s", text), s.shown, strings.Split(s.text, "\n"))
				p.Level, p.Code = Warning, code
				c.tell(p)
			}
		}
	}
}

// tellNames finds names that two hooks of one event have been given.
func (c *checker) tellNames() {
	first := map[string]string{}
	for _, s := range c.files {
		if s.role != script || s.err != nil {
			continue
		}
		f, err := read(s.shown, s.text, Context{})
		if err != nil {
			continue
		}
		for _, h := range f.flow.hooks {
			if c.unasked[s.shown] {
				c.report.Hooks += len(h.events)
			}
			if h.name == nil {
				continue
			}
			for _, event := range h.events {
				key := string(event) + " " + h.name.Value
				where := fmt.Sprintf("%s:%d", s.shown, f.place(h.name).line)
				if before := first[key]; before != "" && !f.exclusive(h.call) {
					f.report("same-name", Warning, ast.Expr(h.name), fmt.Sprintf("%s names a hook of %s %q, too: reasons and logs can't tell the two apart", before, event, h.name.Value))
					break
				}
				first[key] = where
			}
		}
		c.tell(f.problems...)
	}
}

// exclusive reports whether a call stands in a function or a loop, where it may be the only one of its kind that is made, or where
// its name is computed.
func (f *file) exclusive(c call) bool { return c.fn != f.script }

// result is the report of the files that are meant.
func (c *checker) result(only []string) Report {
	meant := func(p string) bool {
		return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool {
			rel, err := filepath.Rel(o, p)
			return err == nil && filepath.IsLocal(rel)
		})
	}
	files := map[string]bool{}
	for _, s := range c.files {
		if meant(s.path) {
			files[s.shown] = true
		}
	}
	r := Report{Hooks: c.report.Hooks, Files: len(files), Problems: []Problem{}}
	for _, h := range c.loaded.Hooks {
		if file, _ := cutNumber(h.Source); (files[file] || files[configOf(file)]) && !c.failed(h) {
			r.Hooks++
		}
	}
	for _, p := range tidy(c.report.Problems) {
		if files[p.File] || len(only) == 0 || c.names(only, p.File) {
			r.Problems = append(r.Problems, p)
		}
	}
	return r
}

// failed reports whether an entry of hooks.yaml is left out as it can't be used.
func (c *checker) failed(h engine.HookInfo) bool {
	return h.Left != "" && slices.ContainsFunc(c.loaded.Errors, func(err error) bool {
		source := hooks.AsError(err, hooks.KindLoad).Source
		return source == h.Source || strings.HasPrefix(source, h.Source+":")
	})
}

// names reports whether a file that isn't looked at, such as hooks.json, is one of the paths or lies below one.
func (c *checker) names(only []string, file string) bool {
	return slices.ContainsFunc(only, func(o string) bool {
		return slices.ContainsFunc(c.folders, func(f Folder) bool {
			shown := f.display(o)
			return file == shown || shown == "." && !strings.HasPrefix(file, "~") && !path.IsAbs(file) || strings.HasPrefix(file, shown+"/")
		})
	})
}

// configOf is a source of hooks.yaml without its column.
func configOf(source string) string {
	file, _ := cutNumber(source)
	return file
}

// Holds reports whether a folder is one of folders of hooks, or lies in one.
func Holds(folders []Folder, dir string) bool {
	return slices.ContainsFunc(folders, func(f Folder) bool {
		rel, err := filepath.Rel(f.Dir, dir)
		return err == nil && filepath.IsLocal(rel)
	})
}
