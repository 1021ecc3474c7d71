package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/cmd/luahook/internal/testreport"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luatest"
)

// testFlags are the flags of test.
type testFlags struct {
	luatest.Options
	watch       bool
	format      string
	lcov        string
	minCoverage float64
	timeout     time.Duration
	passed      map[string]bool // files, when they ran last; nil: they run once
}

func newTest() *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run the tests of hooks: *_test.lua, and the short form in comments",
		Long: `test runs the tests beside hooks: the files NAME_test.lua, and comments of a hook file
such as "-- denies: git push origin main" (also asks, passes). PATH is a test file, a
hook file or a folder; without it, the project's .hooks is meant.

The events that tests fire go through the hooks of the project that the tests belong to,
with its hooks.yaml and its grants, as if it were trusted. The user's own and the
managed hooks are left out. Each test has an empty project, a store, tasks and a clock
of its own. Programs and requests need a fake (fake.exec, fake.http, fake.git);
docs/testing.md has all that a test can call.

Exit status: 0 all passed; 2 a test failed, or less is covered than --min-coverage asks
for; 1 something could not run: a file that isn't Lua, no tests, or --timeout ended them.`,
		Example: `  luahook test
  luahook test .hooks/push_test.lua --filter 'a push to main'
  luahook test --watch
  luahook test --format junit > tests.xml
  luahook test --coverage --lcov coverage.info --min-coverage 80`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"lua"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Filter, "filter", "", "run only tests whose full name contains `TEXT`")
	flags.BoolVar(&f.watch, "watch", false, "run again whenever a Lua file or hooks.yaml changes, until interrupted; then only files that fail, or failed before, are shown")
	flags.StringVar(&f.format, "format", "text", "print as `FORMAT`: text, json or junit")
	flags.BoolVar(&f.Coverage, "coverage", false, "tell which lines of hook files have run, with PATH of those alone")
	flags.StringVar(&f.lcov, "lcov", "", "write the coverage to `FILE` in LCOV's format; implies --coverage")
	flags.Float64Var(&f.minCoverage, "min-coverage", 0, "fail if less than `PERCENT` of the lines have run; implies --coverage")
	flags.BoolVar(&f.Programs, "run-programs", false, "really run programs that no fake stands in for, command hooks too; for tests that are trusted")
	flags.DurationVar(&f.timeout, "timeout", 10*time.Minute, "end all tests together after `TIME`, with --watch each time; 0: no bound")
	flags.StringVar(&f.Dir, "cwd", "", "start from `DIR` instead of the current folder")
	completeFrom(cmd, "format", testFormats...)
	return cmd
}

var testFormats = []string{"text", "json", "junit"}

func (f *testFlags) run(cmd *cobra.Command, args []string) error {
	switch f.format {
	case "text", "json", "junit":
	default:
		return fmt.Errorf("--format is %q, want text, json or junit%s", f.format, spelling.DidYouMean(f.format, testFormats))
	}
	if !(f.minCoverage >= 0 && f.minCoverage <= 100) {
		return fmt.Errorf("--min-coverage is %v, want a percentage from 0 to 100", f.minCoverage)
	}
	if f.timeout < 0 {
		return fmt.Errorf("--timeout is %s, want a time such as 10m, or 0 for no bound", f.timeout)
	}
	var err error
	if f.Dir, err = startFolder(f.Dir); err != nil {
		return err
	}
	f.Paths = args
	f.Coverage = f.Coverage || f.lcov != "" || cmd.Flags().Changed("min-coverage")
	s := ownprocess.CatchSignals(cmd.Context())
	defer s.Stop()
	if f.watch {
		first := true
		f.passed = map[string]bool{}
		return luatest.Watch(s, f.Options, func(changed []string) {
			switch {
			case first:
			case len(changed) == 0:
				fmt.Fprintln(cmd.ErrOrStderr(), "\nsomething has changed")
			default:
				fmt.Fprintf(cmd.ErrOrStderr(), "\nchanged: %s\n", terminal.OneLine(strings.Join(changed, ", ")))
			}
			if err := f.once(s, cmd); err != nil && !errors.As(err, new(exit)) && s.Err() == nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "luahook: %s\n", terminal.Printable(err.Error()))
			}
			if s.Err() != nil {
				return
			}
			if first {
				fmt.Fprintln(cmd.ErrOrStderr(), "waiting for a change; Ctrl-C ends it")
			}
			first = false
		})
	}
	return f.once(s, cmd)
}

// once runs the tests once, and prints what has come of them.
func (f *testFlags) once(ctx context.Context, cmd *cobra.Command) error {
	if f.timeout > 0 {
		tooLong := fmt.Errorf("the tests have not ended within %s: find the one that takes long, or say more with --timeout", terminal.Duration(f.timeout))
		bounded, cancel := context.WithTimeoutCause(ctx, f.timeout, tooLong)
		defer cancel()
		ctx = bounded
	}
	out, o := cmd.OutOrStdout(), f.Options
	var written error
	progress := &progress{w: cmd.ErrOrStderr(), started: time.Now()}
	o.Done = func(file luatest.File) {
		progress.file()
		passes := file.Error == "" && file.Failed() == 0
		news := !passes || !f.passed[file.Path]
		if f.passed != nil {
			f.passed[file.Path] = passes
		}
		if f.format == "text" && written == nil && news {
			progress.clear()
			written = testreport.File(out, file)
		}
	}
	r, err := luatest.Run(ctx, o)
	progress.clear()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		return err
	}
	switch f.format {
	case "json":
		written = testreport.JSON(out, r)
	case "junit":
		written = testreport.JUnit(out, r)
	default:
		written = errors.Join(written, testreport.End(out, r))
	}
	if written != nil {
		return fmt.Errorf("the report can't be written: %w", reason(written))
	}
	if f.lcov != "" {
		if err := f.writeLCOV(r); err != nil {
			return fmt.Errorf("--lcov %s: %w", f.lcov, reason(err))
		}
	}
	low := f.Coverage && r.Percent() < f.minCoverage
	if low {
		fmt.Fprintf(cmd.ErrOrStderr(), "luahook: %.1f%% of the lines have run, and --min-coverage asks for %v%%\n", r.Percent(), f.minCoverage)
	}
	switch {
	case r.Broken > 0 || len(r.Problems) > 0:
		return exit(exitError)
	case r.Failed > 0 || low:
		return exit(exitBlock)
	}
	return nil
}

func (f *testFlags) writeLCOV(r *luatest.Report) error {
	file, err := os.CreateTemp(filepath.Dir(f.lcov), ".lcov-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if err := errors.Join(r.WriteLCOV(file), file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), f.lcov)
}

// progress tells a person who waits for long how many files are done.
type progress struct {
	w       io.Writer
	started time.Time
	done    int
	shown   bool
}

func (p *progress) file() {
	p.done++
	if terminal.Is(p.w) && time.Since(p.started) > time.Second {
		fmt.Fprintf(p.w, "\r%s done", terminal.Counted(p.done, "file"))
		p.shown = true
	}
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
