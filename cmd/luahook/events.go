package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/hooks"
)

func newEvents() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "events [EVENT]",
		Short: "List the events, or show one with its fields",
		Args:  atMostOneEvent,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return eventNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			rows := hooks.Events()
			if len(args) == 1 {
				event, err := hooks.ParseEvent(args[0])
				if err != nil {
					return err
				}
				rows = []*hooks.EventInfo{hooks.Lookup(event)}
			}
			switch {
			case format == "json":
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(rows)
			case format != "text":
				return fmt.Errorf("--format is %q, want text or json", format)
			case len(args) == 1:
				return describeEvent(cmd.OutOrStdout(), rows[0])
			}
			return listEvents(cmd.OutOrStdout(), rows)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "print as `FORMAT`: text or json")
	completeFrom(cmd, "format", "text", "json")
	return cmd
}

func eventNames() []string {
	var names []string
	for _, info := range hooks.Events() {
		names = append(names, string(info.Name))
	}
	return names
}

func listEvents(w io.Writer, rows []*hooks.EventInfo) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "EVENT\tCAN BLOCK\tON FAILURE\tWHAT IT IS")
	for _, info := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", info.Name, info.Blocking, info.OnFailure, info.Help)
	}
	return t.Flush()
}

func describeEvent(w io.Writer, info *hooks.EventInfo) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(t, "%s\t%s\n", name, text)
		}
	}
	line("event", string(info.Name))
	line("what it is", info.Help)
	line("also known as", strings.Join(info.Aliases, ", "))
	line("can block", string(info.Blocking))
	line("on failure", string(info.OnFailure))
	line("match looks at", info.MatchOn)
	line("modify changes", strings.Join(info.Modify, ", "))
	line("output changes", info.Output)
	fmt.Fprintln(t, "\nFIELD\tTYPE\tWHAT IT IS")
	for _, name := range info.FieldNames() {
		f := info.Field(name)
		need := ""
		if f.Required {
			need = " (required)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s%s\n", f.Name, f.Type, f.Help, need)
	}
	fmt.Fprintf(t, "\nsample\t%s\n", hooks.Sample(info))
	return t.Flush()
}
