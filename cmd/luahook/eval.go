package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/process"
)

// evalFlags are the flags of eval.
type evalFlags struct {
	hooks      []string
	builtin    []string
	eventFile  string
	cwd        string
	format     string
	sample     bool
	jsonl      bool
	noUser     bool
	noBuiltins bool
	trace      bool
	record     bool

	judged hooks.Event     // as far as it is known
	log    *audit.Log      // of the engine; nil: there is none
	passes *override.Store // of the engine; nil: there is none
}

func newEval() *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use:   "eval [EVENT]",
		Short: "Fire one event, read as JSON, and print what the hooks decide",
		Long: `eval reads one event as JSON from standard input, fires it at the hooks of the
machine, the user, the project and the built-in ones, and prints the result as JSON.

EVENT is the event's name in any spelling (luahook events lists them); it may be
left out where the JSON has an "event" of its own. Where standard input is a
terminal, the event's built-in sample is fired.

With --jsonl, each line is an event and gets a line in answer; EVENT is for lines
that don't name theirs. A line that is no event is denied, and the exit status is 0.

Exit status: 0 no objection, 2 blocked, 3 a person should be asked (the reason is
on standard error). An allow that can't be told is none: where nothing could be
decided (the event or the command line can't be used, or somebody has ended the
command before the hooks were done), or the result can't be written (the pipe is
broken, the disk full, or nobody reads), the status is 2 of an event that can be
blocked, and 1 of one that can't, or that a block would only keep going. A block stays
2 and a question 3, whoever reads. Whoever closes standard output, or has it at
/dev/null, wants the status alone.`,
		Example: `  echo '{"tool_call":{"name":"bash","command":"rm -rf /"}}' | luahook eval pre-tool-call
  luahook eval pre_prompt --sample --format text
  luahook eval pre_tool_call --jsonl < events.jsonl`,
		Args: atMostOneEvent,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return eventNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			out, notes := bounded(cmd.OutOrStdout(), cmd.ErrOrStderr())
			if cmd.SetErr(notes); !f.jsonl { // whose reader may take its time
				cmd.SetOut(out)
			}
			err := eval(cmd, f, args)
			if status := exit(0); err == nil || errors.As(err, &status) {
				return err
			}
			return exit(refuse(cmd.OutOrStdout(), cmd.ErrOrStderr(), f.judged, f.format, err))
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.hooks, "hooks", nil, "read `DIR` as a .hooks folder, which is trusted, instead of the project's (repeatable)")
	flags.StringArrayVar(&f.builtin, "builtin", nil, "add the built-in hook `NAME` (repeatable)")
	flags.StringVar(&f.eventFile, "event", "", "read the event from `FILE` instead of standard input")
	flags.StringVar(&f.cwd, "cwd", "", "find the project from `DIR` instead of the current folder")
	flags.StringVar(&f.format, "format", "json", "print the result as `FORMAT`: json or text")
	flags.BoolVar(&f.sample, "sample", false, "fire the event's built-in sample")
	flags.BoolVar(&f.jsonl, "jsonl", false, "read one event a line, print one result a line")
	flags.BoolVar(&f.noUser, "no-user", false, "leave out the user's own hooks and hooks.yaml")
	flags.BoolVar(&f.noBuiltins, "no-builtins", false, "leave out the default guard and the configured built-ins, but for managed ones")
	flags.BoolVar(&f.trace, "trace", false, "draw what ran as a tree with times, on standard error")
	flags.BoolVar(&f.record, "record", false, "write what was decided to the decision log, which luahook log shows")
	completeFrom(cmd, "format", "json", "text")
	completeFrom(cmd, "builtin", builtins.Names()...)
	return cmd
}

// completeFrom offers fixed values for a flag.
func completeFrom(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // a flag that isn't there: a mistake in this file
	}
}

func eval(cmd *cobra.Command, f *evalFlags, args []string) error {
	var event hooks.Event
	if len(args) == 1 {
		var err error
		if event, err = hooks.ParseEvent(args[0]); err != nil {
			return err
		}
	}
	f.judged = event
	switch {
	case f.format != "json" && f.format != "text":
		return fmt.Errorf("--format is %q, want json or text", f.format)
	case f.eventFile == "" && cmd.Flags().Changed("event"):
		return errors.New("--event is empty")
	case f.sample && f.eventFile != "":
		return errors.New("--sample and --event exclude each other")
	case f.jsonl && (f.sample || f.format != "json"):
		return errors.New("--jsonl reads events and prints JSON; it goes with neither --sample nor --format text")
	case f.jsonl && f.trace:
		return errors.New("--trace draws one event; it doesn't go with --jsonl")
	}
	_ = process.AdoptOrphans() // where that isn't possible, nothing is said that would be untrue
	if f.jsonl {
		return evalLines(cmd, f, event)
	}
	postponeCollection()
	growStack(false)
	ignoreQuit() // until signals are caught; the runtime would print what goroutines do
	c, err := f.readEvent(cmd, event)
	if err != nil {
		return err
	}
	f.judged = c.Event
	e, cwd, err := f.engine(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if c.CWD == "" {
		c.CWD = cwd
	}
	ctx, delivery := engine.Delivering(cmd.Context())
	r, err := fire(ctx, e, c)
	watch := watchDrain(cmd)
	if slices.ContainsFunc(r.Summary.Runs, func(run hooks.Run) bool { return run.Status == hooks.StatusQueued }) {
		watch.Done() // there will be a wait: a signal must not take the verdict with it
	}
	status := exitOK
	if err != nil && !(errors.Is(err, errInterrupted) && r.Block) {
		delivery = nil
		status = refuse(cmd.OutOrStdout(), cmd.ErrOrStderr(), c.Event, f.format, err)
	} else {
		unwritten := printResult(cmd.OutOrStdout(), f.format, c, r)
		status = verdict(cmd.ErrOrStderr(), r)
		if unwritten != nil {
			delivery = nil
			fmt.Fprintln(cmd.ErrOrStderr(), "luahook: the result can't be written:", reason(unwritten))
			if status == exitOK { // whatever the hooks have changed is lost
				status = failed(c.Event)
			}
		}
	}
	if f.trace {
		printTrace(cmd.ErrOrStderr(), r)
	}
	if err := f.closeEngine(watch, e, delivery); err != nil { // which doesn't change the verdict
		fmt.Fprintln(cmd.ErrOrStderr(), "luahook: warning:", strings.TrimPrefix(err.Error(), "luahook: "))
	}
	if status == exitOK {
		return nil
	}
	return exit(status)
}

// refuse reports what kept an event from being judged, as the result that it then has and
// on standard error, and gives the exit status.
func refuse(stdout, stderr io.Writer, event hooks.Event, format string, err error) int {
	text := strings.TrimPrefix(err.Error(), "luahook: ")
	r := engine.Unjudged(event, errors.New(text))
	if format != "text" {
		if line, err := resultJSON(r); err == nil {
			_, _ = fmt.Fprintf(stdout, "%s\n", line) // the exit status says it, too
		}
	}
	fmt.Fprintf(stderr, "luahook: %s\n", printable(text))
	return failed(event)
}

// failed is the exit status where an event could not be judged, or nobody could be told
// how. A failure never reads as approval.
func failed(event hooks.Event) int {
	if engine.Unjudged(event, errors.New("")).Block {
		return exitBlock
	}
	return exitError
}

// drainTime is how long the command waits for async hooks once the result is written.
const drainTime = 10 * time.Second

func untilDrained(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := untilSignal(ctx)
	ctx, cancel := context.WithTimeout(ctx, drainTime)
	return ctx, func() {
		cancel()
		stop()
	}
}

// watchDrain is the wait for async hooks, as a context.
func watchDrain(cmd *cobra.Command) *lateWatch {
	return &lateWatch{Context: context.WithoutCancel(cmd.Context()), begin: untilDrained, since: time.Now()}
}

// leaveTime is how long the command waits for what should have ended by then: when
// drainTime is over, or somebody has ended the command.
const leaveTime = 5 * time.Second

// closeEngine waits for async hooks, no longer than drainTime, and closes what the engine
// has used. What has been delivered by then, but for the exit status, is noted between the two;
// nil: nothing was.
func (f *evalFlags) closeEngine(watch *lateWatch, e *engine.Engine, delivered *engine.Delivery) error {
	defer watch.end()
	closed := make(chan error, 1)
	go func() { closed <- f.closeWithin(watch, e, delivered) }()
	select {
	case err := <-closed:
		return err
	case <-time.After(promptTime): // from here on signals are caught
	}
	select {
	case err := <-closed:
		return err
	case <-watch.Done():
	}
	select {
	case err := <-closed:
		return err
	case <-time.After(leaveTime):
		return errors.New("something that hooks have begun doesn't end; it is left behind")
	}
}

func (f *evalFlags) closeWithin(ctx context.Context, e *engine.Engine, delivered *engine.Delivery) error {
	if delivered != nil && delivered.Owes() {
		_ = e.Drain(ctx) // Close says what of it was in vain
		delivered.Done()
	}
	err := e.Close(ctx)
	if err != nil { // programs that are being ended get a moment for it
		again, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime/2)
		defer cancel()
		_ = e.Close(again)
	}
	if f.log != nil {
		err = errors.Join(err, f.log.Close())
	}
	if f.passes != nil && f.passes.Close() != nil && err == nil {
		err = errors.New("not all that was blocked could be kept for a person to look at") // where, is nothing for agents
	}
	return err
}

// verdict reports a decision on standard error and as the exit status.
func verdict(stderr io.Writer, r *hooks.Result) int {
	switch r.Decision {
	case hooks.Deny:
		fmt.Fprintln(stderr, printable(r.Reason))
		return exitBlock
	case hooks.Ask:
		fmt.Fprintln(stderr, printable(cmp.Or(r.Reason, "a hook wants a person to decide, and gives no reason")))
		return exitAsk
	}
	for _, w := range r.Warnings {
		// Further lines are set off, so that none passes for one of luahook's own.
		fmt.Fprintln(stderr, "luahook: warning:", strings.ReplaceAll(printable(w), "\n", "\n  "))
	}
	return exitOK
}

// engine makes the engine that the flags describe. cwd is the folder that the
// project was looked for from.
func (f *evalFlags) engine(stderr io.Writer) (e *engine.Engine, cwd string, err error) {
	if cwd, err = filepath.Abs(f.cwd); err != nil {
		return nil, "", fmt.Errorf("the current folder can't be found (%w): start luahook in one that is there, or name one with --cwd", err)
	}
	if info, err := os.Stat(cwd); err != nil {
		return nil, "", fmt.Errorf("--cwd %s: %w", cwd, reason(err))
	} else if !info.IsDir() {
		return nil, "", fmt.Errorf("--cwd %s: not a folder", cwd)
	}
	project, err := engine.FindProject(cwd)
	if err != nil {
		return nil, "", err
	}
	options, err := managedOptions(os.Getenv("LUAHOOK_MANAGED"))
	if err != nil {
		return nil, "", err
	}
	options = append(options, engine.WithLogger(slog.New(&hookLog{out: stderr})))
	options = append(options, storeOptions()...)
	if !f.noUser {
		options = append(options, engine.WithUserDir(engine.UserDir()))
	}
	if file := engine.TrustFile(); file != "" {
		options = append(options, engine.WithTrust(file))
	}
	if f.passes = passesOf(project); f.passes != nil {
		options = append(options, engine.WithPasses(f.passes))
	}
	options = append(options, keeping(project)...)
	if f.log, err = decisionLog(); err != nil {
		return nil, "", err
	}
	switch {
	case f.log == nil && f.record: // which changes no decision, as where it can't be written
		fmt.Fprintln(stderr, "luahook: warning: --record:", errNowhere)
	case f.record:
		options = append(options, engine.WithAudit(f.log, engine.RecordDecisions))
	case f.log != nil:
		options = append(options, engine.WithAudit(f.log, engine.RecordNotes))
	}
	if len(f.hooks) == 0 {
		options = append(options, engine.WithProject(project))
	}
	for _, dir := range f.hooks {
		options = append(options, engine.WithHooksDir(dir, project.Root))
	}
	if f.noBuiltins {
		options = append(options, engine.WithoutBuiltins())
	}
	for _, name := range f.builtin {
		options = append(options, engine.WithBuiltin(name, nil))
	}
	e, err = engine.New(options...)
	return e, cwd, err
}

// reason is an error without the path that the message names already.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
