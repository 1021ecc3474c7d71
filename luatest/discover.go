package luatest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// maxFiles bounds the Lua files that are looked at.
const maxFiles = 20_000

// job is a file to be run.
type job struct {
	path    string
	project *project
	source  string
	forms   []form // the short forms of a hook file; nil: it is a file of tests
}

// project is a folder of hooks with what belongs to it.
type project struct {
	root   string   // where paths of hooks.yaml start, and names of files
	hooks  string   // the folder
	user   bool     // it is the user's configuration, and root its folder
	files  []string // hook files and libraries, absolute
	loaded []string // files of hooks that are in force, as the engine names them

	problems  []string    // why hooks of it can't be loaded
	missed    atomic.Bool // a test has fired an event at them
	commands  int         // hooks that are left out
	cover     *luabind.Coverage
	libraries func() map[string]*luabind.Library
}

// discover finds the files.
func (r *runner) discover() (jobs []*job, err error) {
	r.projects = map[string]*project{}
	files := map[string]bool{} // whether they were named, and not only lie in a folder that was
	paths := r.Paths
	if len(paths) == 0 {
		p, err := engine.FindProject(r.Dir)
		switch {
		case err != nil:
			return nil, err
		case p.Refused != nil:
			return nil, fmt.Errorf("%s: %w", p.Hooks, p.Refused)
		case p.Hooks == "":
			return nil, fmt.Errorf("%w: there is no .hooks folder from here up to %s; name test files or folders", ErrNoTests, p.Root)
		}
		paths = []string{p.Hooks}
		own := r.project(p.Root, p.Hooks, false)
		if err := r.survey(own); err != nil {
			return nil, err
		}
		for _, file := range own.loaded { // hooks.yaml may name files elsewhere
			path := filepath.Join(own.root, filepath.FromSlash(file))
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
				files[path] = true
			}
		}
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.Dir, path)
		}
		path = filepath.Clean(path)
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", r.shown(path), withoutPath(err))
		case info.IsDir():
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real
			}
			err = r.walk(path, files)
		case strings.HasSuffix(path, ".lua"):
			files[path] = true
		default:
			err = fmt.Errorf("%s: neither a Lua file nor a folder", r.shown(path))
		}
		if err != nil {
			return nil, err
		}
	}
	for path := range files { // the tests of hook files
		test := strings.TrimSuffix(path, ".lua") + testEnd
		if _, there := files[test]; !isTest(path) && !there {
			if info, err := os.Lstat(test); err == nil && info.Mode().IsRegular() {
				files[test] = true
			}
		}
	}
	for _, path := range sorted(files) {
		j, err := r.job(path)
		if err != nil {
			return nil, err
		}
		if j != nil {
			jobs = append(jobs, j)
		}
	}
	for _, j := range jobs {
		if err := r.survey(j.project); err != nil {
			return nil, err
		}
	}
	// What looks like a short form in some other Lua file of a folder is none.
	jobs = slices.DeleteFunc(jobs, func(j *job) bool {
		return j.forms != nil && !files[j.path] && !slices.Contains(j.project.files, j.path)
	})
	if len(jobs) == 0 {
		return nil, fmt.Errorf("%w in %s: a test is a file NAME_test.lua beside NAME.lua, or a comment like \"-- denies: git push\" in it", ErrNoTests, strings.Join(r.allShown(paths), ", "))
	}
	return jobs, nil
}

func (r *runner) allShown(paths []string) (shown []string) {
	for _, path := range paths {
		if filepath.IsAbs(path) {
			path = r.shown(path)
		}
		shown = append(shown, path)
	}
	return shown
}

func sorted(files map[string]bool) (paths []string) {
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

const testEnd = "_test.lua"

func isTest(path string) bool { return strings.HasSuffix(path, testEnd) }

// walk adds the Lua files below a folder. Links aren't followed, and folders whose names begin
// with a dot are left out, but for hooks folders.
func (r *runner) walk(folder string, files map[string]bool) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", r.shown(path), withoutPath(err))
		case d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".hooks" || d.Name() == "node_modules"):
			return fs.SkipDir
		case files[path] || !d.Type().IsRegular() || !strings.HasSuffix(d.Name(), ".lua") || strings.HasPrefix(d.Name(), "."):
			return nil
		case len(files) == maxFiles:
			return fmt.Errorf("%s: more than %d Lua files; name smaller folders", r.shown(folder), maxFiles)
		}
		files[path] = false
		return nil
	})
}

// job makes a job of a file; nil: there is no test in it.
func (r *runner) job(path string) (*job, error) {
	j := &job{path: path}
	if !isTest(path) {
		text, err := openfile.Read(path, compile.MaxSourceBytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.shown(path), withoutPath(err))
		}
		if j.source, j.forms = string(text), shortForms(string(text)); len(j.forms) == 0 {
			return nil, nil
		}
	}
	var err error
	j.project, err = r.projectOf(path)
	return j, err
}

// projectOf finds the project that a file belongs to: the one around it that has a hooks
// folder, or the user's own hooks; where there is neither, its folder is taken for one.
func (r *runner) projectOf(path string) (*project, error) {
	dir := filepath.Dir(path)
	if user := engine.UserDir(); user != "" {
		if rel, err := filepath.Rel(user, path); err == nil && filepath.IsLocal(rel) {
			return r.project(user, filepath.Join(user, "hooks"), true), nil
		}
	}
	p, err := engine.FindProject(dir)
	switch {
	case err != nil:
		return nil, err
	case p.Refused != nil:
		return nil, fmt.Errorf("%s: %w", r.shown(p.Hooks), p.Refused)
	case p.Hooks != "":
		return r.project(p.Root, p.Hooks, false), nil
	}
	if filepath.Base(dir) == "lib" {
		if up := filepath.Dir(dir); hasScripts(up) {
			dir = up
		}
	}
	return r.project(dir, dir, false), nil
}

func hasScripts(dir string) bool {
	names, err := filepath.Glob(filepath.Join(strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`).Replace(dir), "*.lua"))
	return err == nil && len(names) > 0
}

func (r *runner) project(root, hooks string, user bool) *project {
	p := r.projects[hooks]
	if p == nil {
		p = &project{root: root, hooks: hooks, user: user}
		if r.Coverage {
			p.cover = luabind.NewCoverage()
		}
		p.libraries = sync.OnceValue(p.compileLibraries)
		r.projects[hooks] = p
	}
	return p
}

// survey loads the hooks of a project once, to learn which there are.
func (r *runner) survey(p *project) error {
	if p.files != nil {
		return nil
	}
	scripts := p.hooks
	found := map[string]bool{}
	if err := r.walk(scripts, found); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	e, err := engine.New(r.engineOptions(p, engine.Rehearsal{Root: r.temp, Outside: noOutside{}, Commands: r.Programs})...)
	if err != nil {
		return err
	}
	defer e.Close(context.Background())
	seen := map[string]bool{}
	list := e.Hooks()
	for _, problem := range e.LoadErrors() {
		p.problems = append(p.problems, strings.TrimPrefix(problem.Error(), "luahook: "))
	}
	for _, h := range list {
		file := fileOf(h.Source)
		if h.Left == leftCommand {
			p.commands++
		}
		if h.Left != "" || seen[file] || strings.HasPrefix(file, "builtin:") {
			continue
		}
		seen[file] = true
		p.loaded = append(p.loaded, file)
		if path := filepath.Join(p.root, filepath.FromSlash(file)); !p.user && strings.HasSuffix(file, ".lua") {
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
				found[path] = true
			}
		}
	}
	p.files = []string{}
	for _, path := range sorted(found) {
		rel, err := filepath.Rel(scripts, path)
		direct := err == nil && !strings.Contains(filepath.ToSlash(rel), "/")
		library := err == nil && strings.HasPrefix(filepath.ToSlash(rel), "lib/")
		if !isTest(path) && (direct && !strings.HasPrefix(filepath.Base(path), "_") || library || seen[p.display(path)]) {
			p.files = append(p.files, path)
		}
	}
	return nil
}

// leftCommand is why the engine leaves a command hook out.
const leftCommand = "command hooks don't run in tests"

// fileOf is a source without its line.
func fileOf(source string) string {
	if at := strings.LastIndexByte(source, ':'); at > 0 && strings.Trim(source[at+1:], "0123456789") == "" {
		return source[:at]
	}
	return source
}

// compileLibraries compiles what the project's scripts can require, so that tests can, too.
func (p *project) compileLibraries() map[string]*luabind.Library {
	libraries := map[string]*luabind.Library{}
	for _, path := range p.files {
		rel, err := filepath.Rel(filepath.Join(p.hooks, "lib"), path)
		if err != nil || !filepath.IsLocal(rel) || strings.HasPrefix(filepath.Base(rel), "_") {
			continue
		}
		name := strings.ReplaceAll(strings.TrimSuffix(filepath.ToSlash(rel), ".lua"), "/", ".")
		l := &luabind.Library{}
		var text []byte
		if text, l.Err = openfile.Read(path, compile.MaxSourceBytes); l.Err == nil {
			l.Program, l.Err = compile.Script(p.display(path), string(text))
		}
		libraries[name] = l
	}
	return libraries
}

func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
