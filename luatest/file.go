package luatest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
	"github.com/luahook/luahook/luabind/lib"
)

// maxTests bounds the tests of a file, which is loaded for each.
const maxTests = 2000

// testFile is a file of tests, loaded into a state. Each test has the file loaded anew, so that
// none depends on what another has left in its locals.
type testFile struct {
	session *session
	state   *luabind.State
	tests   []*luaTest
	group   *group // that is being described: the file's own, which has no name, or one within
	running bool   // the tests are known
	unasked []*unasked
}

// luaTest is a test as a file describes it.
type luaTest struct {
	name   string // with those of the groups around it
	source string
	group  *group
	fn     *lua.LFunction
}

// group is what describe describes.
type group struct {
	name   string
	outer  *group
	before []*lua.LFunction
}

// runTests runs the tests of a file.
func (w *worker) runTests(ctx context.Context, j *job, f *File) {
	text, err := openfile.Read(j.path, compile.MaxSourceBytes)
	if err != nil {
		f.Error = fmt.Sprintf("%s: %s", f.Path, withoutPath(err))
		return
	}
	source := string(text)
	program, err := compile.Script(f.Path, source)
	if err != nil {
		f.Error = err.Error()
		return
	}
	w.dir = filepath.Dir(j.path)
	defer w.alone.Store(nil)
	first, err := w.load(ctx, program)
	if err != nil {
		f.Error = loadProblem(err, source)
		return
	}
	tests := first.tests
	defer first.close()
	if len(tests) == 0 {
		f.Error = f.Path + ": there is no test in it: call test(name, function)"
		return
	}
	seen := map[string]bool{}
	for _, t := range tests {
		if seen[t.name] {
			f.Error = fmt.Sprintf("%s: there is a test of the name %q already", t.source, t.name)
			return
		}
		seen[t.name] = true
	}
	for i, t := range tests {
		if !w.wants(t.name) {
			continue
		}
		if ctx.Err() != nil {
			return
		}
		f.Tests = append(f.Tests, w.runTest(ctx, program, source, i, t))
	}
}

// loadProblem is why a file can't be loaded.
func loadProblem(err error, source string) string {
	var e *hooks.Error
	if errors.As(err, &e) && e.Snippet == "" {
		shown := *e
		shown.Snippet = lineOf(source, e.Source)
		return shown.Error()
	}
	return err.Error()
}

// runTest runs the test at a place in its file.
func (w *worker) runTest(ctx context.Context, program *compile.Program, source string, i int, t *luaTest) (result Test) {
	started := time.Now()
	result = Test{Name: t.name, Source: t.source}
	defer func() { result.Duration = Duration(time.Since(started)) }()
	fail := func(err error) {
		result.Failure = failureOf(err, program.Name(), source)
	}
	file, err := w.load(ctx, program)
	if err != nil {
		fail(err)
		return result
	}
	defer file.close()
	if i >= len(file.tests) || file.tests[i].name != t.name {
		fail(&hooks.Error{Source: t.source, Message: "the file describes other tests each time that it is loaded"})
		return result
	}
	own := file.tests[i]
	err = file.state.Run(ctx, luabind.Limits{}, func(L *lua.LState) int {
		for _, before := range own.group.allBefore() {
			L.Push(before)
			L.Call(0, 0)
		}
		L.Push(own.fn)
		L.Call(0, 0)
		return 0
	})
	if err == nil && len(file.unasked) > 0 {
		err = &hooks.Error{Source: file.unasked[0].source, Message: nothingAsked}
	}
	file.session.closeEngines()
	result.Printed = file.session.takePrinted()
	if result.Passed = err == nil; err != nil {
		fail(err)
	} else {
		result.Printed = nil
	}
	return result
}

// allBefore is what runs before each test of a group, of the outermost first.
func (g *group) allBefore() []*lua.LFunction {
	if g == nil {
		return nil
	}
	return append(g.outer.allBefore(), g.before...)
}

// fullName is the name of something in a group.
func (g *group) fullName(name string) string {
	for ; g != nil && g.outer != nil; g = g.outer {
		name = g.name + " > " + name
	}
	return name
}

// load loads a file for one test, with a world of its own.
func (w *worker) load(ctx context.Context, program *compile.Program) (*testFile, error) {
	if err := w.clear(); err != nil {
		return nil, err
	}
	w.alone.Store(nil)
	f := &testFile{session: newSession(w), group: &group{}}
	w.session.Store(f.session)
	var err error
	libraries, cover := w.project.libraries(), w.project.cover
	if len(libraries) == 0 { // which are all that counts of what a test runs itself
		cover = nil
	}
	f.state, err = luabind.LoadState(ctx, program, luabind.Environment{
		Modules: append(lib.Modules(), f.modules()...), Words: append(lib.Words(), f.words()...), Libraries: libraries,
		Logger: w.logger(), Limits: w.Limits, Grants: hooks.Grants{Tasks: true}, Root: w.root(), Coverage: cover,
		Services: &lib.Services{Outside: w, Tasks: &workerTasks{w}},
	}, nil)
	if err != nil {
		f.close()
		return nil, err
	}
	if on := f.state.Registrations(); len(on) > 0 {
		f.close()
		return nil, &hooks.Error{Kind: hooks.KindLoad, Source: on[0].Source, Message: "on(...) stands in a file of tests, whose hooks never run; put it into a file without _test in its name"}
	}
	f.running, f.session.running = true, true
	return f, nil
}

func (f *testFile) close() {
	f.session.closeEngines()
	f.session.worker.session.CompareAndSwap(f.session, nil)
	f.state = nil
}

// failureOf is why a test has failed.
func failureOf(err error, file, source string) *Failure {
	f := &Failure{Message: err.Error()}
	var e *hooks.Error
	if errors.As(err, &e) {
		f.Source, f.Message = e.Source, advice().ReplaceAllString(e.Message, "")
		for _, at := range positions().FindAllString(e.Traceback, -1) {
			at = strings.TrimSuffix(strings.TrimSpace(at), ":")
			if strings.HasPrefix(at, file+":") && at != f.Source && (len(f.Callers) == 0 || f.Callers[len(f.Callers)-1] != at) && len(f.Callers) < 10 {
				f.Callers = append(f.Callers, at)
			}
		}
	}
	if f.Source == file && len(f.Callers) > 0 { // an error that has no text
		f.Source, f.Callers = f.Callers[0], f.Callers[1:]
	}
	if strings.HasPrefix(f.Source, file+":") {
		f.Snippet = lineOf(source, f.Source)
	}
	return f
}

// advice is what messages of limits say for hooks.
var advice = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` \(raise [^()]*\)`) })

var positions = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*.+?:\d+:`) })

// lineOf is the line of a text that a source, file:line, names.
func lineOf(text, source string) string {
	var line int
	if _, err := fmt.Sscanf(source[len(fileOf(source)):], ":%d", &line); err != nil {
		return ""
	}
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	shown := strings.TrimSpace(lines[line-1])
	if len(shown) > 160 {
		shown = strings.ToValidUTF8(shown[:160], "") + "..."
	}
	return shown
}

// printed are the lines that scripts print, for the test that runs.
type printed struct{ worker *worker }

// logger writes to the test that runs.
func (w *worker) logger() *slog.Logger { return slog.New(printed{w}) }

func (printed) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelDebug }
func (p printed) WithAttrs([]slog.Attr) slog.Handler             { return p }
func (p printed) WithGroup(string) slog.Handler                  { return p }

// Handle keeps what a script has written, which has a source and is of no event.
func (p printed) Handle(_ context.Context, r slog.Record) error {
	s := p.worker.session.Load()
	if s == nil {
		return nil
	}
	source, engines := "", false
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "source":
			source = a.Value.String()
		case "event":
			engines = true
		}
		return true
	})
	if source != "" && !engines {
		s.print(source + ": " + r.Message)
	}
	return nil
}
