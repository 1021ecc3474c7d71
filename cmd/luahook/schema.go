package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/schema"
	"github.com/luahook/luahook/internal/spelling"
)

func newSchema() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of hooks.yaml, of an event or of results",
		Long: `schema prints a JSON Schema (draft 2020-12):

  luahook schema              of hooks.yaml; schema config prints the same
  luahook schema event NAME   of an event, as eval reads it
  luahook schema result       of a result, as eval prints it

NAME is an event's name in any spelling (luahook events lists them).

With the schema of hooks.yaml an editor completes keys and underlines mistakes. Keep
it next to the file and name it there:

  # yaml-language-server: $schema=hooks.schema.json

Exit status: 0; 1 there is no such event or schema.`,
		Example: `  luahook schema > .hooks/hooks.schema.json
  luahook schema event pre_tool_call`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSchema(args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return printSchema(cmd, config.Schema()) },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "config",
		Short: "Print the JSON Schema of hooks.yaml",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return printSchema(cmd, config.Schema()) },
	}, &cobra.Command{
		Use:   "event NAME",
		Short: "Print the JSON Schema of an event, as eval reads it",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("schema event takes one NAME, got %d; `luahook events` lists them", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return eventNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := schema.Event(hooks.Event(args[0]))
			if err != nil {
				return err
			}
			return printSchema(cmd, text)
		},
	}, &cobra.Command{
		Use:   "result",
		Short: "Print the JSON Schema of a result, as eval prints it",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return printSchema(cmd, schema.Result()) },
	})
	return cmd
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, got %q", strings.TrimPrefix(cmd.CommandPath(), "luahook "), args[0])
	}
	return nil
}

// noSchema is the error for a word that names no schema.
func noSchema(word string) error {
	known := []string{"config", "event", "result"}
	near := spelling.DidYouMean(word, known)
	if event, err := hooks.ParseEvent(word); near == "" && err == nil {
		near = fmt.Sprintf("; of that event it is `luahook schema event %s`", event)
	}
	return fmt.Errorf("there is no schema %q, only config, event NAME and result%s", word, near)
}

func printSchema(cmd *cobra.Command, text []byte) error {
	if _, err := cmd.OutOrStdout().Write(text); err != nil {
		return fmt.Errorf("the schema can't be written: %w", err)
	}
	return nil
}
