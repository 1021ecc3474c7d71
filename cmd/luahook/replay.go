package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/redact"
)

// replayFlags are the flags of replay.
type replayFlags struct {
	logFlags
	engine      engineFlags
	allProjects bool
	recordedIn  []string
	runCommands bool

	redactor *redact.Redactor
	engines  []*localEngine
	judges   map[string]*replay.Judge // by the project's root
	left     map[string]replay.Left   // roots of projects that have no judge
}

func newReplay() *cobra.Command {
	f := &replayFlags{}
	cmd := &cobra.Command{
		Use:   "replay [LOG]",
		Short: "Fire recorded events at today's hooks, and show which decisions differ",
		Long: `replay fires the events of the decision log at the hooks that are in force today, in
their order, and shows only what has changed: the decision, its reason, and what was
rewritten. LOG is a file or a folder with such records, or "-" for standard input; the
default is the log of "luahook log".

The records of the current project are replayed. Nothing is recorded, no store, task or
override is touched: hooks remember things in a store of their own that begins empty.
Command hooks, async hooks, and the programs and requests of Lua hooks aren't run; where
a decision needs them, the event is counted apart. So are events that the log doesn't
have whole. docs/replay.md says more.

Exit status: 0 no decision differs; 1 some do, if only one; 2 nothing could be compared,
or something went wrong.`,
		Example: `  luahook replay
  luahook replay --since 7d --decision deny
  luahook replay --hooks proposed/.hooks
  luahook replay testdata/decisions.jsonl --recorded-in /home/kim/shop --format json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.replay(cmd, args) },
	}
	f.addFilter(cmd)
	f.engine.add(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.allProjects, "all-projects", false, "replay the records of other projects, too, each with its own hooks, where it is trusted")
	flags.StringArrayVar(&f.recordedIn, "recorded-in", nil, "take the records of the project at `DIR` as this one's, with its paths (repeatable)")
	flags.BoolVar(&f.runCommands, "run-commands", false, "run command hooks, async hooks, and what Lua hooks run, send and write: with all effects")
	completeFrom(cmd, "recorded-in")
	return cmd
}

func (f *replayFlags) replay(cmd *cobra.Command, args []string) (err error) {
	filter, err := f.filter(cmd, time.Now())
	if err != nil {
		return err
	}
	filter.Last, filter.Kind = f.last, audit.KindDecision
	if f.allProjects && (len(f.engine.hooks) > 0 || len(f.recordedIn) > 0) {
		return errors.New("--all-projects takes each project's own hooks and place, and so doesn't go with --hooks and --recorded-in")
	}
	for _, dir := range f.recordedIn {
		if !wasAbsolute(dir) {
			return fmt.Errorf("--recorded-in is %q, want an absolute path, as the log has it", dir)
		}
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), ownprocess.EndingSignals...)
	defer stop()
	context.AfterFunc(ctx, stop) // so that a second one ends what waits for standard input
	defer func() { err = errors.Join(err, f.close(cmd.Context())) }()
	f.redactor, f.judges, f.left = redact.New(os.Environ()), map[string]*replay.Judge{}, map[string]replay.Left{}
	root, err := f.open(cmp.Or(f.engine.cwd, "."), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	records, name, err := recordsOf(cmd.InOrStdin(), slices.Concat(args, []string{""})[0], filter)
	if err != nil {
		return err
	}
	return f.compare(ctx, cmd, records, name, root)
}

// compare replays the records and prints what differs.
func (f *replayFlags) compare(ctx context.Context, cmd *cobra.Command, records replay.Records, name, root string) error {
	out, colour, progress := cmd.OutOrStdout(), terminal.ColourOf(cmd.OutOrStdout()), terminal.NewProgress(cmd.ErrOrStderr())
	defer progress.Clear()
	differences, done := []replay.Difference{}, 0
	shown, alike := map[string]bool{}, 0 // the texts of differences, which are shown once each
	var unwritten error
	s, err := replay.Run(ctx, f.moved(records, root), f.judgeOf(root, cmd.ErrOrStderr()), func(o *replay.Outcome) bool {
		if done++; !o.Differs() {
			progress.Show("replayed %s", terminal.Counted(done, "event"))
			return true
		}
		d := o.Difference(show.Asked(&o.Was))
		if f.format == "json" {
			differences = append(differences, d)
			return true
		}
		same := d
		same.Time = time.Time{}
		text := same.Text(false)
		if shown[text] {
			alike++
			return true
		}
		shown[text] = true
		progress.Clear()
		_, unwritten = io.WriteString(out, d.Text(colour)+"\n")
		return unwritten == nil
	})
	progress.Clear()
	switch {
	case unwritten != nil:
		return fmt.Errorf("the differences can't be written: %w", reason(unwritten))
	case ctx.Err() != nil:
		return ownprocess.ErrInterrupted
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	if s.Broken > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "luahook: left out: %s of %s that no luahook has written whole\n", terminal.Counted(s.Broken, "line"), terminal.Shown(name))
	}
	if s.Records == 0 {
		return fmt.Errorf("%s has no such records, so nothing was replayed", name)
	}
	if f.format == "json" {
		unwritten = terminal.WriteJSON(out, struct {
			*replay.Summary
			Differences []replay.Difference `json:"differences"`
		}{s, differences})
	} else {
		text := s.Text(colour)
		if alike > 0 {
			text = terminal.Counted(alike, "more difference") + " like those above\n" + text
		}
		_, unwritten = io.WriteString(out, text)
	}
	switch {
	case unwritten != nil:
		return fmt.Errorf("the summary can't be written: %w", reason(unwritten))
	case s.Compared == 0:
		return errors.New("no event could be compared, so nothing is known of today's hooks")
	case s.Differ.Decision > 0:
		return exit(exitError)
	}
	return nil
}

// recordsOf are the records of a log, and what that is called.
func recordsOf(stdin io.Reader, log string, filter audit.Filter) (records replay.Records, name string, err error) {
	folder := func(dir string) replay.Records {
		return func(yield func(audit.Entry) bool) (int, error) { return audit.Read(dir, filter, yield) }
	}
	if log == "-" {
		return func(yield func(audit.Entry) bool) (int, error) { return audit.ReadFrom(stdin, filter, yield) }, "standard input", nil
	}
	dir := cmp.Or(log, logDir())
	if dir == "" {
		return nil, "", errNowhere
	}
	if info, err := os.Stat(dir); log != "" && err != nil {
		return nil, "", fmt.Errorf("%s: %w", dir, reason(err))
	} else if log != "" && !info.IsDir() {
		return func(yield func(audit.Entry) bool) (int, error) {
			file, _, err := openfile.Regular(dir)
			if err != nil {
				return 0, reason(err)
			}
			defer file.Close()
			return audit.ReadFrom(file, filter, yield)
		}, dir, nil
	}
	if files, _, err := audit.Size(dir); err != nil {
		return nil, "", fmt.Errorf("the decision log: %w", err)
	} else if files == 0 {
		return nil, "", fmt.Errorf("there is no decision log in %s; luahook eval --record writes one, and so does luahook run", dir)
	}
	return folder(dir), dir, nil
}

// moved are the records with those of --recorded-in as if they were of the project at root.
func (f *replayFlags) moved(records replay.Records, root string) replay.Records {
	if len(f.recordedIn) == 0 {
		return records
	}
	return func(yield func(audit.Entry) bool) (int, error) {
		return records(func(e audit.Entry) bool {
			for _, dir := range f.recordedIn {
				if dir = strings.TrimRight(dir, `/\`); e.Project == dir {
					e.Record = replay.Moved(e.Record, dir, root)
					break
				}
			}
			return yield(e)
		})
	}
}

// wasAbsolute reports whether a path is absolute on any system: a log may come from another one.
func wasAbsolute(dir string) bool {
	return filepath.IsAbs(dir) || strings.HasPrefix(dir, "/") || len(dir) > 2 && dir[1] == ':' && strings.ContainsRune(`/\`, rune(dir[2]))
}

// judgeOf gives the judge of a record's project: of the one at root, and with --all-projects of others.
func (f *replayFlags) judgeOf(root string, stderr io.Writer) func(r *audit.Record) (*replay.Judge, replay.Left, error) {
	return func(r *audit.Record) (*replay.Judge, replay.Left, error) {
		of := cmp.Or(r.Project, root)
		if j := f.judges[of]; j != nil {
			return j, "", nil
		}
		if !f.allProjects {
			return nil, replay.OtherProject, nil
		}
		if left, known := f.left[of]; known {
			return nil, left, nil
		}
		if left := standing(of); left != "" {
			f.left[of] = left
			return nil, left, nil
		}
		at, err := f.open(of, stderr)
		if err != nil {
			return nil, "", err
		}
		if at != of { // a link leads elsewhere by now
			f.left[of] = replay.Gone
			return nil, replay.Gone, nil
		}
		return f.judges[of], "", nil
	}
}

// standing is why the hooks of a project in some folder don't count; "": they do.
func standing(root string) replay.Left {
	if info, err := os.Stat(root); !filepath.IsAbs(root) || err != nil || !info.IsDir() {
		return replay.Gone
	}
	p, err := engine.FindProject(root)
	if err != nil {
		return replay.Gone
	}
	if p.Hooks == "" {
		return ""
	}
	s, err := engine.SurveyProject(p, engine.TrustFile())
	if err != nil || s.State != engine.ProjectTrusted && s.State != engine.ProjectFolderTrusted {
		return replay.Untrusted
	}
	return ""
}

// open makes the judge of the project that a folder lies in, and gives its root.
func (f *replayFlags) open(dir string, stderr io.Writer) (root string, err error) {
	own := f.engine
	own.cwd = dir
	e, j, err := own.rehearse(f.runCommands, stderr)
	if err != nil {
		return "", err
	}
	f.engines = append(f.engines, e)
	j.Redactor = f.redactor
	project, err := engine.FindProject(e.cwd)
	if err != nil {
		return "", err
	}
	f.judges[project.Root] = j
	return project.Root, nil
}

// close closes the engines.
func (f *replayFlags) close(ctx context.Context) error {
	var all []error
	for _, e := range f.engines {
		all = append(all, e.close(ctx, nil))
	}
	return errors.Join(all...)
}

// rehearse opens an engine whose hooks judge recorded events, and do nothing else unless they run. Files of hooks
// that can't be used are an error: each event would be denied for them. That hooks are held back is told on stderr.
func (f *engineFlags) rehearse(runs bool, stderr io.Writer) (*localEngine, *replay.Judge, error) {
	e, j, err := f.judging(runs, io.Discard)
	if err != nil {
		return nil, nil, err
	}
	if bad := e.LoadErrors(); len(bad) > 0 {
		return nil, nil, errors.Join(fmt.Errorf("today's hooks can't be used: %w", bad[0]), e.close(context.Background(), nil))
	}
	limited := ""
	for _, h := range e.Hooks() {
		limited = cmp.Or(limited, h.Limited)
	}
	if limited != "" {
		fmt.Fprintf(stderr, "luahook: warning: some hooks may only deny, ask and inform here: %s; \"luahook list\" says which\n", terminal.OneLine(limited))
	}
	return e, j, nil
}

// judging is rehearse without a word about files that can't be used: each event is denied for them, as in life. What
// hooks print is written to printed.
func (f *engineFlags) judging(runs bool, printed io.Writer) (*localEngine, *replay.Judge, error) {
	j := &replay.Judge{Refusals: &replay.Refusals{}, Listens: map[hooks.Event]bool{}}
	own := *f
	own.replay = &engine.Replay{Runs: runs, Refused: j.Refusals.Add}
	e, err := own.open(printed)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range e.Hooks() {
		if h.Left == "" && h.Mode != hooks.ModeAsync {
			j.Listens[h.Event] = true
		}
	}
	j.Engine = e
	return e, j, nil
}
