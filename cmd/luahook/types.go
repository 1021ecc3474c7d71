package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/scaffold"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
)

func newTypes() *cobra.Command {
	write := false
	cmd := &cobra.Command{
		Use:   "types",
		Short: "Print what hooks find, for editors: events, functions and their help",
		Long: `types prints a file of LuaCATS definitions for lua-language-server and other editors:
each event with its fields, so that "ev." completes, every function that hooks can call
with its parameters and help, and what tests find.

--write puts it into the project's hooks folder, as .hooks/.luahook/luahook.lua. luahook
never loads that file, and whatever it holds, it costs the project no trust.

Exit status: 0; 1 the file can't be written.`,
		Example: `  luahook types --write
  luahook types > ~/lua/luahook.lua`,
		Args: noFurther,
		RunE: func(cmd *cobra.Command, _ []string) error {
			stub, err := scaffold.Stub()
			if err != nil {
				return err
			}
			if !write {
				_, err := io.WriteString(cmd.OutOrStdout(), stub.Text)
				return err
			}
			hooks, err := hooksFolder()
			if err != nil {
				return err
			}
			if err := scaffold.Replace(hooks, stub); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\n", terminal.Shown(filepath.Join(hooks, filepath.FromSlash(stub.Name))))
			return err
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "put it into the project's hooks folder")
	return cmd
}

// hooksFolder is the hooks folder of the project of the current folder, there or not.
func hooksFolder() (string, error) {
	project, err := findProject(".")
	switch {
	case err != nil:
		return "", err
	case project.Refused != nil:
		return "", fmt.Errorf("nothing was written: %s: %w", project.Hooks, project.Refused)
	case project.Hooks != "":
		return project.Hooks, nil
	case slices.Contains(strings.Split(filepath.ToSlash(project.Root), "/"), ".hooks"):
		return "", errors.New("nothing was written: the current folder lies in a hooks folder; do it in the folder above")
	}
	return filepath.Join(project.Root, ".hooks"), nil
}
