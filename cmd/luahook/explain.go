package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/process"
)

func newExplain() *cobra.Command {
	f := &evalFlags{engine: engineFlags{tries: true}}
	cmd := &cobra.Command{
		Use:   "explain [EVENT | COMMAND]",
		Short: "Say why the hooks decide an event as they do: each hook, matched or not, and its answer",
		Long: `explain fires one event, as eval does, and says how it comes to be decided: what a
command line would run, each hook in its order with what it has answered and cost, or
why it didn't run, and what has come of it together.

COMMAND is a shell command that an agent might run, in quotes or behind "--". Else the
event is read as eval reads it: JSON on standard input or from --event, or --sample.

The hooks really run: what they do beside answering, they do. The decision log gets no
line, luahook allow lists no blocked call, and a pass that a person has given isn't used.

Exit status: as of eval; 1 if nothing could be decided.`,
		Example: `  luahook explain 'git push --force'
  luahook explain -- rm -rf build
  luahook explain pre_prompt --sample
  luahook explain --event event.json --format json
  echo '{"tool_call":{"name":"write","input":{"path":".env"}}}' | luahook explain pre_tool_call`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return eventNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			event, err := f.split(args)
			if err != nil {
				return err
			}
			return f.explain(cmd, event)
		},
	}
	f.addEvent(cmd)
	cmd.Flags().StringVar(&f.format, "format", "text", "print as `FORMAT`: text or json")
	completeFrom(cmd, "format", "text", "json")
	return cmd
}

// split takes the arguments of explain for an event, or for a command.
func (f *evalFlags) split(args []string) (hooks.Event, error) {
	if len(args) == 0 {
		return "", nil
	}
	event, err := hooks.ParseEvent(args[0])
	switch {
	case len(args) > 1:
	case err == nil && hooks.IsKnown(event):
		return event, nil
	case err != nil && f.sample: // no command has a sample
		return "", err
	}
	if args[0] == "" {
		return "", errors.New("COMMAND is empty")
	}
	if f.command != "" {
		return "", fmt.Errorf("the command is given twice: %s, and with -c", shell.Quote(args...))
	}
	if f.command = args[0]; len(args) > 1 {
		f.command = shell.Quote(args...)
	}
	return "", nil
}

// explain fires the event and says what has come of it, hook by hook.
func (f *evalFlags) explain(cmd *cobra.Command, event hooks.Event) error {
	if err := f.check(cmd, event); err != nil {
		return err
	}
	_ = process.AdoptOrphans()
	s := ownprocess.CatchSignals(cmd.Context())
	defer s.Stop()
	c, err := f.readEvent(s, cmd, event)
	if err != nil && f.eventFile == "" && f.command == "" {
		return fmt.Errorf("%w; a shell command is explained by: luahook explain 'git push'", err)
	} else if err != nil {
		return err
	}
	x := show.NewExplanation()
	f.engine.observers = append(show.Waiting(cmd.ErrOrStderr()), x)
	e, err := f.engine.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if c.CWD == "" {
		c.CWD = e.cwd
	}
	if c, err = c.Complete(); err != nil {
		return err
	}
	ctx, _ := engine.Delivering(s) // and nothing is noted, as nobody gets the answer
	r, err := e.Fire(ctx, c)
	if err == nil {
		x.Fill(e.Engine, c, r)
		err = x.Write(cmd.OutOrStdout(), f.format)
	}
	if err := errors.Join(err, e.close(cmd.Context(), nil)); err != nil {
		return err
	}
	switch r.Decision {
	case hooks.Deny:
		return exit(exitBlock)
	case hooks.Ask:
		return exit(exitAsk)
	}
	return nil
}
