package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/install"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
)

// runMCP puts gates before an agent's MCP servers, or takes them away.
func (f *installFlags) runMCP(cmd *cobra.Command, agent string) error {
	if len(f.events) > 0 {
		return errors.New("--events and --mcp don't go together: a gate fires the events of tools")
	}
	target, err := f.target(nil)
	if err != nil {
		return err
	}
	var title string
	var servers []install.Server
	plan, err := f.apply(cmd.Context(), cmd.OutOrStdout(), func() (plan *install.Plan, err error) {
		title, plan, servers, err = target.MCP(agent, f.uninstall)
		return plan, err
	})
	if err != nil {
		return err
	}
	var b strings.Builder
	gated := 0
	for _, s := range servers {
		if s.Why == "" {
			gated++
		} else if !f.uninstall {
			fmt.Fprintf(&b, "note: no gate is before %s (%s): %s\n", terminal.Shown(s.Name), terminal.Shown(atHome(s.File)), s.Why)
		}
	}
	if !f.uninstall && !plan.Empty() && target.Project != "" && filepath.IsAbs(target.Program) {
		fmt.Fprintf(&b, "note: The project's settings name %s, which others may not have there: put luahook's folder in PATH, and install again.\n", terminal.Shown(target.Program))
	}
	switch {
	case plan.Empty() && f.uninstall:
		fmt.Fprintf(&b, "nothing to do: luahook is before no MCP server of %s\n", title)
	case plan.Empty() && gated == 0:
		fmt.Fprintf(&b, "nothing to do: %s has no MCP server that is a program\n", title)
	case plan.Empty():
		fmt.Fprintf(&b, "nothing to do: luahook is before all MCP servers of %s that are programs\n", title)
	case f.dryRun:
		b.WriteString("nothing was written: this is what would change\n")
	case f.uninstall:
		fmt.Fprintf(&b, "uninstalled: %s starts its MCP servers itself again\n", title)
	default:
		fmt.Fprintf(&b, "installed: luahook is before the MCP servers of %s; start it anew\n", title)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), b.String())
	return err
}
