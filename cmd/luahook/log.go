package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// logFlags are the flags of log.
type logFlags struct {
	session, hook, event, decision string
	since                          string
	last                           int
	format                         string
	follow, purge, yes             bool
	project                        string // a folder in it; "": all projects
}

func newLog() *cobra.Command {
	f := &logFlags{}
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show what was decided and noted",
		Long: `log prints the decision log, the oldest record first: what hooks have decided and
why, and what built-in hooks have noted, in all projects unless --project names one. "luahook eval --record" writes
decisions to it.

With --format json each record is one line of JSON, as it stands in the log.

Exit status: 0, also if there is no log yet; 1 the log can't be read, or (--purge)
nothing was removed: the answer was no, or there was no terminal to ask on.`,
		Example: `  luahook log --last 20
  luahook log --decision deny --since 24h
  luahook log --project . --follow --hook safety-guard
  luahook log --format json | jq -r 'select(.decision=="deny") | .reason'
  luahook log --purge`,
		Args: noFurther,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.follow, "follow", "f", false, "print the last 10 records (or --last), and go on with new ones")
	flags.BoolVar(&f.purge, "purge", false, "remove the log, after asking")
	flags.BoolVar(&f.yes, "yes", false, "with --purge: don't ask")
	flags.StringVar(&f.project, "project", "", "only records of the project that the folder `DIR` lies in")
	f.addFilter(cmd)
	return cmd
}

// addFilter adds the flags that say which records are wanted, and how they are printed.
func (f *logFlags) addFilter(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.session, "session", "", "only records of the session `ID`")
	flags.StringVar(&f.hook, "hook", "", "only events for which the hook `NAME` ran")
	flags.StringVar(&f.decision, "decision", "", "only events with this `DECISION`: allow, ask, deny or none")
	flags.StringVar(&f.event, "event", "", "only records of the event `NAME`, in any spelling")
	flags.StringVar(&f.since, "since", "", "only records since a `TIME`: 1h, 30m or 7d ago, or a date (2026-05-04)")
	flags.IntVarP(&f.last, "last", "n", 0, "only the last `N` records")
	flags.StringVar(&f.format, "format", "text", "print as `FORMAT`: text or json")
	completeFrom(cmd, "format", "json", "text")
	completeFrom(cmd, "decision", decisions...)
	completeFrom(cmd, "event", eventNames()...)
	for _, free := range []string{"session", "since", "last"} { // no names of files
		completeFrom(cmd, free)
	}
	completeHooks(cmd, "hook")
}

var decisions = []string{"allow", "ask", "deny", audit.NoDecision}

// logDir is the folder of the decision log; "" where there is nowhere to keep it.
func logDir() string {
	dir := engine.StateDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "log")
}

// decisionLog is the log; nil where there is nowhere to keep it.
func decisionLog(host string) (*audit.Log, error) {
	dir := logDir()
	if dir == "" {
		return nil, nil
	}
	return audit.Open(dir, audit.Options{Host: host})
}

func (f *logFlags) run(cmd *cobra.Command) error {
	filter, err := f.filter(cmd, time.Now())
	if err != nil {
		return err
	}
	dir := logDir()
	if dir == "" {
		return errNowhere
	}
	if f.purge {
		return f.purgeLog(cmd, dir)
	}
	files, _, err := audit.Size(dir)
	if err == nil && files == 0 && !f.follow {
		_, err = fmt.Fprintf(cmd.ErrOrStderr(), "luahook: there is no decision log yet (%s); luahook eval --record writes one\n", terminal.Shown(dir))
		return err
	}
	if err != nil {
		return fmt.Errorf("the decision log: %w", err)
	}
	if f.follow {
		return f.followLog(cmd, dir, filter)
	}
	return f.printLog(cmd, dir, filter)
}

// filter reads the flags that say which records are wanted.
func (f *logFlags) filter(cmd *cobra.Command, now time.Time) (audit.Filter, error) {
	filter := audit.Filter{Session: f.session, Hook: f.hook, Decision: f.decision}
	changed := cmd.Flags().Changed
	switch {
	case f.format != "json" && f.format != "text":
		return filter, fmt.Errorf("--format is %q, want json or text", f.format)
	case f.last < 0 || f.last == 0 && changed("last"):
		return filter, fmt.Errorf("--last is %d, want 1 or more", f.last)
	case f.yes && !f.purge:
		return filter, errors.New("--yes is for --purge")
	}
	if f.purge {
		for _, name := range []string{"follow", "project", "session", "hook", "decision", "event", "since", "last", "format"} {
			if changed(name) {
				return filter, fmt.Errorf("--purge removes the whole log; it doesn't go with --%s", name)
			}
		}
	}
	if changed("decision") && !slices.Contains(decisions, f.decision) {
		return filter, fmt.Errorf("--decision is %q, want allow, ask, deny or none%s", f.decision, spelling.DidYouMean(f.decision, decisions))
	}
	if changed("event") {
		event, err := hooks.ParseEvent(f.event)
		if err != nil {
			return filter, fmt.Errorf("--event: %w", err)
		}
		filter.Event = string(event)
	}
	if changed("since") {
		since, err := sinceWhen(f.since, now)
		if err != nil {
			return filter, err
		}
		filter.Since = since
	}
	if changed("project") {
		if !isFolder(f.project) {
			return filter, fmt.Errorf("--project is %q, want a folder of the project", f.project)
		}
		project, err := findProject(f.project)
		if err != nil {
			return filter, fmt.Errorf("--project: %w", err)
		}
		filter.Project = project.Root
	}
	return filter, nil
}

// sinceWhen reads how long ago something was, or when.
func sinceWhen(text string, now time.Time) (time.Time, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago > 0 {
		return now.Add(-ago), nil
	}
	for _, layout := range []string{time.DateOnly, time.DateTime, time.RFC3339} {
		if when, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return when, nil
		}
	}
	return time.Time{}, fmt.Errorf("--since is %q, want how long ago (30m, 1h, 7d) or a date (2026-05-04)", text)
}

// printLog prints what there is.
func (f *logFlags) printLog(cmd *cobra.Command, dir string, filter audit.Filter) error {
	out := &logPrinter{out: cmd.OutOrStdout(), json: f.format == "json"}
	filter.Last = f.last
	broken, err := audit.Read(dir, filter, out.print)
	if err == nil && broken > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "luahook: left out of the log: %s, from a process that was killed while it wrote\n", terminal.Counted(broken, "broken line"))
	}
	if err != nil {
		return fmt.Errorf("the decision log: %w", err)
	}
	return out.err
}

// firstOnes is how many records a follower is shown of what there was.
const firstOnes = 10

// followLog prints what is written until somebody ends it.
func (f *logFlags) followLog(cmd *cobra.Command, dir string, filter audit.Filter) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), ownprocess.EndingSignals...)
	defer stop()
	filter.Last = cmp.Or(f.last, firstOnes)
	out := &logPrinter{out: cmd.OutOrStdout(), json: f.format == "json"}
	if err := audit.Follow(ctx, dir, filter, nil, out.print); err != nil {
		return fmt.Errorf("the decision log: %w", err)
	}
	return out.err
}

func (f *logFlags) purgeLog(cmd *cobra.Command, dir string) error {
	if err := notByHooks("log --purge"); err != nil {
		return err
	}
	files, size, err := audit.Size(dir)
	switch {
	case err != nil:
		return fmt.Errorf("the decision log: %w", err)
	case files == 0:
		if _, _, err := audit.Purge(dir); err != nil { // of index files, which may have been left
			return fmt.Errorf("the decision log: %w", err)
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), "there is no decision log to remove")
		return err
	}
	if !f.yes {
		if err := terminal.Ask(fmt.Sprintf("Remove the decision log, %s in %s, in %s? [y/N] ", terminal.Bytes(size), terminal.Counted(files, "file"), terminal.Shown(dir))); err != nil {
			return fmt.Errorf("nothing was removed: %w", err)
		}
	}
	files, size, err = audit.Purge(dir)
	if err != nil {
		return fmt.Errorf("removed %s of the decision log, and then: %w", terminal.Counted(files, "file"), err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "removed the decision log: %s in %s\n", terminal.Bytes(size), terminal.Counted(files, "file"))
	return err
}

// logPrinter prints records, until that fails.
type logPrinter struct {
	out  io.Writer
	json bool
	err  error
}

func (p *logPrinter) print(e audit.Entry) bool {
	var text string
	if p.json {
		text = terminal.PrintableJSON(string(e.Line))
	} else {
		text = show.Record(&e.Record)
	}
	_, p.err = io.WriteString(p.out, text+"\n")
	return p.err == nil
}
