// Package luatest runs tests of hooks that are written in Lua: the files *_test.lua beside
// hooks, and the short form that stands in comments of a hook file. The events that tests fire
// go through a real engine, with the configuration of the project that the tests belong to;
// what hooks reach outside of their sandbox is replaced (see [engine.Rehearsal]).
//
// [Run] is where it starts: discover.go finds the files, file.go runs one, words.go has what
// tests can call, fake.go what stands in for the world. docs/testing.md is for authors.
package luatest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/luahook/luahook/engine"
)

// Options say which tests run, and how. The zero value runs those of the project that the
// current folder lies in.
type Options struct {
	// Paths are test files, hook files (their short forms, and the test file of the same name)
	// and folders, of which all below is meant; none: those of the project of Dir.
	Paths []string
	// Dir is where relative paths start, and where the project is looked for. "": the current folder.
	Dir string
	// Filter is a part of the full names of the tests that run, "describe > test". "": all.
	Filter string
	// Programs says that programs run for real where nothing stands in for them: those of
	// exec.run, command hooks, and git, also that of project.git. Who says so trusts the tests
	// as much as the hooks.
	Programs bool
	// Coverage says that the lines of hook files are counted.
	Coverage bool
	// Parallel is how many files run at a time; 0: as many as there are processors.
	Parallel int
	// Limits bound each test. Zero values mean 50,000,000 instructions, 30 s and 256 MiB.
	Limits engine.Limits
	// Engine are further options of the engines that the tests fire events at.
	Engine []engine.Option
	// Done is told of each file when it and all before it are done, in order, from one
	// goroutine at a time; nil: nobody is.
	Done func(File)
}

// Report is what has come of all tests.
type Report struct {
	Files    []File     `json:"files"`
	Passed   int        `json:"passed"`
	Failed   int        `json:"failed"`
	Broken   int        `json:"could_not_run"` // files
	LeftOut  int        `json:"command_hooks_left_out"`
	Duration Duration   `json:"duration_ms"`
	Problems []string   `json:"hooks_not_loaded,omitempty"` // why, where tests have fired events at them
	Coverage []Coverage `json:"coverage,omitempty"`         // by file; nil: it wasn't asked for
}

// File is what has come of a file with tests.
type File struct {
	Path     string   `json:"path"` // as messages have it
	Tests    []Test   `json:"tests"`
	Error    string   `json:"error,omitempty"` // why it could not run
	Duration Duration `json:"duration_ms"`
}

// Test is one test that was run.
type Test struct {
	Name     string   `json:"name"`
	Source   string   `json:"source"` // file:line where it begins
	Passed   bool     `json:"passed"`
	Failure  *Failure `json:"failure,omitempty"`
	Printed  []string `json:"printed,omitempty"` // lines, of the test and of hooks
	Duration Duration `json:"duration_ms"`
}

// Failure is why a test has failed.
type Failure struct {
	Source  string   `json:"source"`            // file:line
	Message string   `json:"message"`           // one line or more
	Snippet string   `json:"snippet,omitempty"` // the line of the test at fault
	Callers []string `json:"callers,omitempty"` // file:line of the calls in the test file that led there, the innermost first
}

// Duration is a time that JSON has in milliseconds.
type Duration time.Duration

// MarshalJSON implements [json.Marshaler].
func (d Duration) MarshalJSON() ([]byte, error) {
	return []byte(fmt.Sprintf("%.3f", float64(d)/float64(time.Millisecond))), nil
}

// Failed counts the tests of the file that have.
func (f *File) Failed() (n int) {
	for i := range f.Tests {
		if !f.Tests[i].Passed {
			n++
		}
	}
	return n
}

// ErrNoTests is the error where there is nothing to run.
var ErrNoTests = errors.New("no tests found")

// Run runs tests. The error is for what keeps all of them from running: a path that isn't
// there, [ErrNoTests], or that of ctx. Files that can't run are in the report.
func Run(ctx context.Context, o Options) (*Report, error) {
	started := time.Now()
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	at := dir
	if dir, err = filepath.EvalSymlinks(at); err != nil {
		return nil, fmt.Errorf("%s: %w", at, withoutPath(err))
	}
	o.Dir = dir
	o.Parallel = cmp.Or(max(o.Parallel, 0), runtime.GOMAXPROCS(0))
	o.Limits.Instructions = cmp.Or(o.Limits.Instructions, 50_000_000)
	o.Limits.Timeout = cmp.Or(o.Limits.Timeout, 30*time.Second)
	o.Limits.Memory = cmp.Or(o.Limits.Memory, 256<<20)
	temp, err := os.MkdirTemp("", "luahook-test-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	if temp, err = filepath.EvalSymlinks(temp); err != nil {
		return nil, err
	}
	r := &runner{Options: o, temp: temp}
	jobs, err := r.discover()
	if err != nil {
		return nil, err
	}
	report := r.run(ctx, jobs)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ran := report.Broken > 0
	for i := range report.Files {
		ran = ran || len(report.Files[i].Tests) > 0
	}
	if !ran {
		return nil, fmt.Errorf("no test's name contains %q", o.Filter)
	}
	for _, hooks := range slices.Sorted(maps.Keys(r.projects)) {
		p := r.projects[hooks]
		report.LeftOut += p.commands
		if p.missed.Load() {
			report.Problems = append(report.Problems, p.problems...)
		}
	}
	if o.Coverage {
		report.Coverage = r.coverage()
	}
	report.Duration = Duration(time.Since(started))
	return report, nil
}

// runner runs the tests of one call of Run.
type runner struct {
	Options
	temp     string              // holds what the tests write
	projects map[string]*project // by their hooks folder
}

// run runs the jobs, several at a time, and puts together what has come of them, in order.
func (r *runner) run(ctx context.Context, jobs []*job) *Report {
	type result struct {
		n    int
		file File
	}
	next, done := make(chan int), make(chan result)
	var workers sync.WaitGroup
	for n := range min(r.Parallel, len(jobs)) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			w := &worker{runner: r, temp: filepath.Join(r.temp, fmt.Sprint(n))}
			defer w.close()
			for i := range next {
				done <- result{i, w.run(ctx, jobs[i])}
			}
		}()
	}
	go func() {
		defer close(done)
		defer workers.Wait()
		defer close(next)
		for i := range jobs {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	report := &Report{}
	files, told := make([]*File, len(jobs)), 0
	for one := range done {
		files[one.n] = &one.file
		for ; told < len(files) && files[told] != nil; told++ {
			f := *files[told]
			if len(f.Tests) == 0 && f.Error == "" { // all were filtered out
				continue
			}
			report.Files = append(report.Files, f)
			report.Failed += f.Failed()
			report.Passed += len(f.Tests) - f.Failed()
			if f.Error != "" {
				report.Broken++
			}
			if r.Done != nil {
				r.Done(f)
			}
		}
	}
	return report
}

// wants reports whether a test is to be run.
func (r *runner) wants(name string) bool { return strings.Contains(name, r.Filter) }

// shown is a path as messages have it: relative to the folder, where it lies in it.
func (r *runner) shown(path string) string {
	if rel, err := filepath.Rel(r.Dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}
