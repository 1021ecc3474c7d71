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
	var tools bool
	cmd := &cobra.Command{
		Use:   "events [EVENT]",
		Short: "List the events, or show one with its fields; or the names of tools",
		Long: `events lists the events that hooks can be registered for, or shows one with its
fields and its spellings. With --tools it lists the names of tools: those that hooks
see, and those by which agents know them.

Exit status: 0; 1 there is no such event.`,
		Example: `  luahook events
  luahook events pre_tool_call
  luahook events --tools`,
		Args: atMostOneEvent,
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
			var shown any = rows
			if tools {
				shown = hooks.Tools()
			}
			switch {
			case tools && len(args) > 0:
				return fmt.Errorf("--tools lists the names of tools; it takes no EVENT")
			case format == "json":
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(shown)
			case format != "text":
				return fmt.Errorf("--format is %q, want text or json", format)
			case tools:
				return listTools(cmd.OutOrStdout())
			case len(args) == 1:
				return describeEvent(cmd.OutOrStdout(), rows[0])
			}
			return listEvents(cmd.OutOrStdout(), rows)
		},
	}
	cmd.Flags().BoolVar(&tools, "tools", false, "list what tools are called here, and what agents call them")
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

// listTools says which names of agents stand for which tool.
func listTools(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "TOOL\tKIND\tAGENTS CALL IT, IN ANY CASE AND WITH ANY SEPARATORS")
	for _, tool := range hooks.Tools() {
		fmt.Fprintf(t, "%s\t%s\t%s\n", tool.Name, tool.Kind, strings.Join(tool.Hosts, " "))
	}
	fmt.Fprintf(t, "mcp__server__tool\tmcp\tmcp__server__tool mcp_server_tool MCP:tool\n")
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
