package luatest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/spill"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/userhome"
	"github.com/luahook/luahook/luabind/lib"
)

// worker runs files, one after the other. It has an engine, which the tests of a project share,
// and a folder, which belongs to one test at a time.
type worker struct {
	*runner
	temp    string // holds root, and beside it what hooks keep elsewhere
	project *project
	engine  *engine.Engine
	session atomic.Pointer[session] // of the test that runs; nil: none does
	alone   atomic.Pointer[string]  // the file whose hooks alone run; nil: all do
	dir     string                  // of the file of tests
}

// root is the project's root as hooks see it.
func (w *worker) root() string { return filepath.Join(w.temp, "project") }

// run runs a file.
func (w *worker) run(ctx context.Context, j *job) (f File) {
	started := time.Now()
	f.Path = w.shown(j.path)
	defer func() {
		if p := recover(); p != nil { // a mistake of ours, which must not end the others
			f.Error = fmt.Sprintf("luahook itself failed: %v", p)
		}
		f.Duration = Duration(time.Since(started))
	}()
	if err := w.open(j.project); err != nil {
		f.Error = err.Error()
		return f
	}
	if j.forms != nil {
		f.Tests = w.runForms(ctx, j)
		return f
	}
	w.runTests(ctx, j, &f)
	return f
}

// open has the worker's engine be one of the project.
func (w *worker) open(p *project) (err error) {
	if w.project == p {
		return nil
	}
	w.close()
	w.project = nil
	if err := os.MkdirAll(w.root(), 0o700); err != nil {
		return err
	}
	w.engine, err = engine.New(w.engineOptions(p, w.rehearsal(w.root()))...)
	if err == nil {
		w.project = p
	}
	return err
}

func (w *worker) rehearsal(root string) engine.Rehearsal {
	return engine.Rehearsal{Root: root, Outside: w, Commands: w.Programs, Skip: w.skips}
}

func (w *worker) skips(source string) bool {
	alone := w.alone.Load()
	return alone != nil && fileOf(source) != *alone
}

func (w *worker) close() {
	if w.engine != nil {
		_ = w.engine.Close(context.Background()) // what async hooks do is drained with each event
		w.engine = nil
	}
}

// engineOptions are those of an engine with the hooks of a project.
func (r *runner) engineOptions(p *project, rehearsal engine.Rehearsal) []engine.Option {
	options := []engine.Option{}
	rehearsal.Coverage = p.cover
	if p.user {
		options = append(options, engine.WithUserDir(p.root))
	} else {
		options = append(options, engine.WithProject(engine.Project{Root: p.root, Hooks: p.hooks}))
	}
	return append(r.commonOptions(options, rehearsal), r.Engine...)
}

// commonOptions are those of all engines.
func (r *runner) commonOptions(options []engine.Option, rehearsal engine.Rehearsal) []engine.Option {
	options = append(options, engine.WithRehearsal(rehearsal))
	if w, ok := rehearsal.Outside.(*worker); ok {
		options = append(options, engine.WithStore(&workerStore{w}), engine.WithTasks(&workerTasks{w}), engine.WithLogger(w.logger()),
			engine.WithSpill(spill.New(filepath.Join(w.temp, "spill"), w.root())))
	}
	if r.Coverage { // which takes time
		options = append(options, engine.WithLimits(engine.Limits{Timeout: 10 * time.Second}))
	}
	return options
}

// clear gives the next test an empty project and all else anew.
func (w *worker) clear() error {
	if err := os.RemoveAll(w.temp); err != nil {
		return err
	}
	return os.MkdirAll(w.root(), 0o700)
}

// Now implements [lib.Outside].
func (w *worker) Now() time.Time {
	if s := w.session.Load(); s != nil {
		return s.clock.now()
	}
	return time.Now()
}

// Environ implements [lib.Outside].
func (w *worker) Environ() []string {
	if s := w.session.Load(); s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return slices.Clone(s.environ)
	}
	return nil
}

const outsideTest = lib.NoStandIn("only a hook that is called by a test reaches what is outside")

// Run implements [lib.Outside].
func (w *worker) Run(ctx context.Context, p lib.Program) (lib.ProgramResult, error) {
	if s := w.session.Load(); s != nil {
		return s.program(ctx, p)
	}
	return lib.ProgramResult{}, outsideTest
}

// Send implements [lib.Outside].
func (w *worker) Send(ctx context.Context, r lib.Request) (lib.Response, error) {
	if s := w.session.Load(); s != nil {
		return s.request(ctx, r)
	}
	return lib.Response{}, outsideTest
}

// Git implements [lib.Outside].
func (w *worker) Git(ctx context.Context, c lib.GitCall) (any, error) {
	if s := w.session.Load(); s != nil {
		return s.git(ctx, c)
	}
	return nil, outsideTest
}

// noOutside is the world where nothing is run.
type noOutside struct{}

func (noOutside) Now() time.Time    { return time.Now() }
func (noOutside) Environ() []string { return nil }
func (noOutside) Run(context.Context, lib.Program) (lib.ProgramResult, error) {
	return lib.ProgramResult{}, outsideTest
}
func (noOutside) Send(context.Context, lib.Request) (lib.Response, error) {
	return lib.Response{}, outsideTest
}
func (noOutside) Git(context.Context, lib.GitCall) (any, error) { return nil, outsideTest }

// display is a file as the engine names it.
func (p *project) display(path string) string {
	root, prefix := p.root, ""
	if home := userhome.Dir(); p.user && home != "" {
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
			root, prefix = home, "~/"
		}
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		rel, prefix = path, ""
	}
	return prefix + strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, filepath.ToSlash(rel))
}

// inProject does something with a file of the test's own project, which is reached by a root, so that no link leads
// out.
func (w *worker) inProject(name string, do func(root *os.Root, name string) error) error {
	root, err := openfile.Root(w.root())
	if err != nil {
		return err
	}
	defer root.Close()
	if name, err = w.local(name); err != nil {
		return err
	}
	return withoutPath(do(root, name))
}

// writeFile writes a file of the project.
func (w *worker) writeFile(name, text string) error {
	return w.inProject(name, func(root *os.Root, name string) error {
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return root.WriteFile(name, []byte(text), 0o644)
	})
}

// maxRead bounds a file that a test reads.
const maxRead = 16 << 20

// readFile reads a file of the project; ok is false where there is none.
func (w *worker) readFile(name string) (text string, ok bool, err error) {
	err = w.inProject(name, func(root *os.Root, name string) error {
		content, err := openfile.ReadIn(root, name, maxRead)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		text, ok = string(content), err == nil
		return err
	})
	return text, ok, err
}

// removeFile removes a file or folder of the project.
func (w *worker) removeFile(name string) error {
	return w.inProject(name, func(root *os.Root, name string) error { return root.RemoveAll(name) })
}

// linkFile makes a link in the project.
func (w *worker) linkFile(target, name string) error {
	return w.inProject(name, func(root *os.Root, name string) error {
		err := root.Symlink(target, name)
		var link *os.LinkError
		if errors.As(err, &link) {
			return link.Err
		}
		return err
	})
}

// local is a path below the project's root.
func (w *worker) local(name string) (string, error) {
	path := filepath.FromSlash(name)
	if filepath.IsAbs(path) {
		rel, err := filepath.Rel(w.root(), path)
		if err != nil {
			return "", err
		}
		path = rel
	}
	if !filepath.IsLocal(path) {
		return "", errors.New("it lies outside of the test's project")
	}
	return filepath.Clean(path), nil
}
