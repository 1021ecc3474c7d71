package main

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	engine      engineFlags
	log         string
	last        int
	budget      time.Duration
	strict      bool
	format      string
	runCommands bool
}

// decisionLogAsked is --log without a file.
const decisionLogAsked = "the decision log"

func newBench() *cobra.Command {
	f := &benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench [EVENT]",
		Short: "Measure what each hook costs: time, instructions, memory",
		Long: `bench fires events at the hooks that are in force, again and again, and prints for each
hook the median and the 99th percentile of its time, and the medians of its Lua
instructions, of its allocations and of the bytes that these take. The events are made
up, one of each kind that a hook listens to; with --log they are those of the decision
log, as far as it has them whole.

As in replay, nothing is recorded or remembered, and command hooks, async hooks and the
programs and requests of Lua hooks aren't run.

Exit status: 0, also where hooks are over the budget; 1 with --strict and such a hook,
or nothing could be measured.`,
		Example: `  luahook bench
  luahook bench pre_tool_call --budget 100us --strict
  luahook bench --log --last 500
  luahook bench --log=testdata/decisions.jsonl --format json`,
		Args: atMostOneEvent,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return eventNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.bench(cmd, args) },
	}
	f.engine.add(cmd)
	flags := cmd.Flags()
	flags.Bool("sample", true, "fire a made-up event of each kind; the default")
	flags.StringVar(&f.log, "log", "", "fire the events of a `LOG` (--log=LOG), or of the decision log")
	flags.Lookup("log").NoOptDefVal = decisionLogAsked
	flags.IntVarP(&f.last, "last", "n", 1000, "with --log: only the last `N` records")
	flags.DurationVar(&f.budget, "budget", time.Millisecond, "warn of hooks whose median is longer than `TIME`: 100us, 2ms")
	flags.BoolVar(&f.strict, "strict", false, "exit 1 where a hook is over the budget")
	flags.BoolVar(&f.runCommands, "run-commands", false, "run command hooks, and what Lua hooks run, send and write: with all effects, each time")
	flags.StringVar(&f.format, "format", "text", "print as `FORMAT`: text or json")
	completeFrom(cmd, "format", "text", "json")
	for _, free := range []string{"budget", "last"} {
		completeFrom(cmd, free)
	}
	cmd.MarkFlagsMutuallyExclusive("sample", "log")
	return cmd
}

func (f *benchFlags) bench(cmd *cobra.Command, args []string) (err error) {
	switch {
	case f.format != "text" && f.format != "json":
		return fmt.Errorf("--format is %q, want text or json", f.format)
	case f.budget <= 0:
		return fmt.Errorf("--budget is %s, want more than nothing", f.budget)
	case f.last < 1:
		return fmt.Errorf("--last is %d, want 1 or more", f.last)
	case f.log == "" && cmd.Flags().Changed("last"):
		return errors.New("--last is for --log")
	}
	var only hooks.Event
	if len(args) == 1 {
		if only, err = hooks.ParseEvent(args[0]); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), ownprocess.EndingSignals...)
	defer stop()
	context.AfterFunc(ctx, stop) // so that a second one ends what waits for standard input
	meter := replay.NewMeter()
	f.engine.observers = []engine.Observer{meter}
	e, j, err := f.engine.rehearse(f.runCommands, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close(cmd.Context(), nil)) }()
	list := slices.DeleteFunc(e.Hooks(), func(h engine.HookInfo) bool {
		return h.Event == "" || only != "" && h.Event != only || h.Mode == hooks.ModeAsync
	})
	if !slices.ContainsFunc(list, func(h engine.HookInfo) bool { return h.Left == "" }) {
		return errors.New("there are no such hooks to measure; luahook list says which there are")
	}
	events, err := f.events(cmd, e, j, only)
	if err != nil {
		return err
	}
	progress := terminal.NewProgress(cmd.ErrOrStderr())
	costs, err := replay.Bench(ctx, e, meter, list, events, progress)
	progress.Clear()
	if ctx.Err() != nil {
		return ownprocess.ErrInterrupted
	} else if err != nil {
		return err
	}
	over := replay.Hold(costs, f.budget)
	if f.format == "json" {
		err = terminal.WriteJSON(cmd.OutOrStdout(), map[string]any{"events": len(events), "budget_ns": f.budget.Nanoseconds(), "over_budget": over, "hooks": costs})
	} else if err = replay.WriteCosts(cmd.OutOrStdout(), costs); err == nil {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s over %s, %d over the budget of %s\n", terminal.Counted(len(costs), "hook"), terminal.Counted(len(events), "event"), over, f.budget)
	}
	switch {
	case err != nil:
		return fmt.Errorf("the figures can't be written: %w", reason(err))
	case f.strict && over > 0:
		return exit(exitError)
	}
	return nil
}

// events are what the hooks are fired with.
func (f *benchFlags) events(cmd *cobra.Command, e *localEngine, j *replay.Judge, only hooks.Event) (events []*hooks.Context, err error) {
	wanted := func(event hooks.Event) bool { return j.Listens[event] && (only == "" || event == only) }
	if f.log == "" {
		for _, info := range hooks.Events() {
			if !wanted(info.Name) {
				continue
			}
			c, err := hooks.DecodeContext(hooks.Sample(info), info.Name)
			if err != nil {
				return nil, err
			}
			c.CWD = e.cwd
			events = append(events, c)
		}
		return events, nil
	}
	name := f.log
	if name == decisionLogAsked {
		name = ""
	}
	project, err := engine.FindProject(e.cwd)
	if err != nil {
		return nil, err
	}
	records, shown, err := recordsOf(cmd.InOrStdin(), name, audit.Filter{Event: string(only), Kind: audit.KindDecision, Last: f.last})
	if err != nil {
		return nil, err
	}
	_, err = records(func(r audit.Entry) bool {
		if name == "" && r.Project != "" && r.Project != project.Root {
			return true
		}
		if c, left, _ := replay.EventOf(&r.Record); left == "" && wanted(c.Event) {
			events = append(events, c)
		}
		return true
	})
	if err == nil && len(events) == 0 {
		err = errors.New("it has no event of this project that the hooks are for and that it has whole; docs/replay.md says which it has")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	return events, nil
}
