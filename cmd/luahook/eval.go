package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/process"
)

// evalFlags are the flags of eval.
type evalFlags struct {
	engine    engineFlags
	eventFile string
	command   string // of a shell, to make an event of
	format    string
	sample    bool
	jsonl     bool
	trace     bool

	judged   hooks.Event // as far as it is known
	oneReads bool        // the text of the result and standard error stand on one terminal
}

func newEval() *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use:   "eval [EVENT]",
		Short: "Fire one event, read as JSON, and print what the hooks decide",
		Long: `eval reads one event as JSON from standard input, fires it at the hooks of the
machine, the user, the project and the built-in ones, and prints the result as JSON.

EVENT is the event's name in any spelling (luahook events lists them). Leave it out
if the JSON has an "event" of its own. If standard input is a terminal, eval fires
the event's built-in sample. -c makes the event of a shell command that an agent wants
to run; luahook explain says why it is decided as it is.

With --jsonl, each line is an event and gets a line in answer; EVENT is for lines
that don't name theirs. eval denies a line that is no event, and exits with 0.

Exit status: 0 no objection, 2 blocked, 3 a person should be asked (the reason is
on standard error). An allow that can't be delivered doesn't count. If nothing could
be decided (the event or the command line can't be used, or somebody has ended the
command before the hooks were done), or the result can't be written (the pipe is
broken, the disk full, or nobody reads), the status is 2 for an event that can be
blocked. It is 1 for one that can't, or that a block would only keep going. A block
stays 2 and a question 3 even if nobody reads. A caller that closes standard output,
or points it at /dev/null, wants the status alone.`,
		Example: `  luahook eval -c 'git push --force'
  echo '{"tool_call":{"name":"bash","command":"rm -rf /"}}' | luahook eval pre-tool-call
  luahook eval pre_prompt --sample --format text
  luahook eval pre_tool_call --jsonl < events.jsonl`,
		Args: atMostOneEvent,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return eventNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !f.jsonl && !cmd.Flags().Changed("format") && terminal.Is(cmd.OutOrStdout()) {
				f.format = "text"
			}
			f.engine.observers = show.Waiting(cmd.ErrOrStderr())
			f.oneReads = f.format == "text" && terminal.Is(cmd.OutOrStdout()) && terminal.Is(cmd.ErrOrStderr())
			out, notes := ownprocess.Bounded(cmd.OutOrStdout(), cmd.ErrOrStderr())
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
	f.addEvent(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.engine.record, "record", false, "write the decisions to the decision log, which luahook log shows")
	flags.StringVar(&f.format, "format", "json", "print the result as `FORMAT`: json or text; on a terminal it's text unless you say")
	flags.BoolVar(&f.jsonl, "jsonl", false, "read one event per line, print one result per line")
	flags.BoolVar(&f.trace, "trace", false, "draw the runs as a tree with times, on standard error")
	completeFrom(cmd, "format", "json", "text")
	return cmd
}

// addEvent adds the flags that say which event is fired, and at what hooks.
func (f *evalFlags) addEvent(cmd *cobra.Command) {
	f.engine.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.eventFile, "event", "", "read the event from `FILE` instead of standard input")
	flags.StringVarP(&f.command, "command", "c", "", "make the event of a shell `COMMAND` that an agent wants to run")
	flags.BoolVar(&f.sample, "sample", false, "fire the event's built-in sample")
}

// check says which flags don't go together.
func (f *evalFlags) check(cmd *cobra.Command, event hooks.Event) error {
	switch {
	case f.format != "json" && f.format != "text":
		return fmt.Errorf("--format is %q, want json or text", f.format)
	case f.eventFile == "" && cmd.Flags().Changed("event"):
		return errors.New("--event is empty")
	case f.command == "" && cmd.Flags().Changed("command"):
		return errors.New("-c is empty")
	case f.sample && f.eventFile != "":
		return errors.New("--sample and --event exclude each other")
	case f.command != "" && (f.sample || f.eventFile != "" || f.jsonl):
		return errors.New("a command is an event by itself; it goes with none of --sample, --event and --jsonl")
	case f.command != "" && event != "" && !hooks.Lookup(event).Guards:
		return fmt.Errorf("a command makes a pre_tool_call or a permission_request, not %s", event)
	case f.jsonl && (f.sample || f.format != "json"):
		return errors.New("--jsonl reads events and prints JSON; it goes with neither --sample nor --format text")
	case f.jsonl && f.trace:
		return errors.New("--trace draws one event; it doesn't go with --jsonl")
	}
	return nil
}

// completeFrom offers fixed values for a flag.
func completeFrom(cmd *cobra.Command, flag string, values ...string) {
	complete(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

func complete(cmd *cobra.Command, flag string, with cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, with); err != nil {
		panic(err) // a flag that isn't there: a mistake in these files
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
	if err := f.check(cmd, event); err != nil {
		return err
	}
	_ = process.AdoptOrphans() // where that isn't possible, nothing is said that would be untrue
	if f.jsonl {
		return evalLines(cmd, f, event)
	}
	ownprocess.PostponeCollection()
	s := ownprocess.CatchSignals(cmd.Context())
	defer s.Stop()
	c, err := f.readEvent(s, cmd, event)
	if err != nil {
		return err
	}
	f.judged = c.Event
	e, err := f.engine.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if c.CWD == "" {
		c.CWD = e.cwd
	}
	ctx, delivery := engine.Delivering(s)
	r, err := e.Fire(ctx, c)
	if err != nil && errors.Is(s.Cause(), ownprocess.ErrInterrupted) {
		err = ownprocess.ErrInterrupted
	}
	status := exitOK
	if err != nil && !(errors.Is(err, ownprocess.ErrInterrupted) && r.Block) {
		delivery = nil
		status = refuse(cmd.OutOrStdout(), cmd.ErrOrStderr(), c.Event, f.format, err)
	} else {
		unwritten := show.Result(cmd.OutOrStdout(), f.format, c, r)
		notes := cmd.ErrOrStderr()
		if f.oneReads && unwritten == nil { // so it has been said
			notes = io.Discard
		}
		status = verdict(notes, r)
		if unwritten != nil {
			delivery = nil
			fmt.Fprintln(cmd.ErrOrStderr(), "luahook: the result can't be written:", reason(unwritten))
			if status == exitOK { // whatever the hooks have changed is lost
				status = failed(c.Event)
			}
		}
	}
	if f.trace {
		show.Trace(cmd.ErrOrStderr(), r)
	}
	warnClosing(cmd.ErrOrStderr(), e.close(cmd.Context(), delivery))
	if status == exitOK {
		return nil
	}
	return exit(status)
}

// warnClosing says what went wrong after the last answer, which changes no verdict.
func warnClosing(stderr io.Writer, err error) {
	if err != nil {
		fmt.Fprintln(stderr, "luahook: warning:", strings.TrimPrefix(err.Error(), "luahook: "))
	}
}

// refuse reports what kept an event from being judged, as the result that it then has and
// on standard error, and gives the exit status.
func refuse(stdout, stderr io.Writer, event hooks.Event, format string, err error) int {
	text := strings.TrimPrefix(err.Error(), "luahook: ")
	r := engine.Unjudged(event, errors.New(text))
	if format != "text" {
		if line, err := hooks.EncodeJSON(r); err == nil {
			_, _ = fmt.Fprintf(stdout, "%s\n", line) // the exit status says it, too
		}
	}
	fmt.Fprintf(stderr, "luahook: %s\n", terminal.Printable(text))
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

// verdict reports a decision on standard error and as the exit status.
func verdict(stderr io.Writer, r *hooks.Result) int {
	switch r.Decision {
	case hooks.Deny:
		fmt.Fprintln(stderr, terminal.Printable(r.Reason))
		return exitBlock
	case hooks.Ask:
		fmt.Fprintln(stderr, terminal.Printable(cmp.Or(r.Reason, "a hook wants a person to decide, without a reason")))
		return exitAsk
	}
	for _, w := range r.Warnings {
		// Further lines are set off, so that none passes for one of luahook's own.
		fmt.Fprintln(stderr, "luahook: warning:", strings.ReplaceAll(terminal.Printable(w), "\n", "\n  "))
	}
	return exitOK
}

// reason is an error without the path that the message names already.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
