package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/engine/config"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of hooks.yaml",
		Long: `schema prints the JSON Schema (draft 2020-12) of hooks.yaml. With it an editor
completes keys and underlines mistakes. Keep it next to the file and name it there:

  # yaml-language-server: $schema=hooks.schema.json`,
		Example: `  luahook schema > .hooks/hooks.schema.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("schema takes no arguments, got %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := cmd.OutOrStdout().Write(config.Schema()); err != nil {
				return fmt.Errorf("the schema can't be written: %w", err)
			}
			return nil
		},
	}
}
