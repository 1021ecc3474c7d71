package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/hooks"
)

// listFlags are the flags of list.
type listFlags struct {
	engine engineFlags
	format string
}

func newList() *cobra.Command {
	f := &listFlags{}
	cmd := &cobra.Command{
		Use:   "list [EVENT]",
		Short: "List the hooks in force, and what is left out and why",
		Long: `list loads the hooks of the machine, the user, the project and the built-in ones as
an event would, without firing one. It lists them by event in the order in which they
run: from where, for what, and what an untrusted project's may not do. Then come those
that never run, and files that can't be used, each with the reason.

Exit status: 0, also where files can't be used; 1 the hooks can't be read at all.`,
		Example: `  luahook list
  luahook list pre_tool_call --format json`,
		Args: atMostOneEvent,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return eventNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.engine.add(cmd)
	cmd.Flags().StringVar(&f.format, "format", "text", "print as `FORMAT`: text or json")
	completeFrom(cmd, "format", "text", "json")
	return cmd
}

func (f *listFlags) run(cmd *cobra.Command, args []string) error {
	if f.format != "text" && f.format != "json" {
		return fmt.Errorf("--format is %q, want text or json", f.format)
	}
	var only hooks.Event
	if len(args) == 1 {
		var err error
		if only, err = hooks.ParseEvent(args[0]); err != nil {
			return err
		}
	}
	e, err := f.engine.open(io.Discard)
	if err != nil {
		return err
	}
	l := show.Hooks(e.Engine, only)
	if err := e.close(cmd.Context(), nil); err != nil {
		return err
	}
	if f.format == "json" {
		return terminal.WriteJSON(cmd.OutOrStdout(), l)
	}
	return l.Write(cmd.OutOrStdout())
}

// completeHooks offers the names of the hooks in force here for a flag.
func completeHooks(cmd *cobra.Command, flag string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		e, err := (&engineFlags{}).open(io.Discard)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var names []string
		for _, h := range e.Hooks() {
			names = append(names, terminal.Shown(h.Name))
		}
		slices.Sort(names)
		if e.close(cmd.Context(), nil) != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // a flag that isn't there: a mistake in the verb
	}
}
