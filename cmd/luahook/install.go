package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/install"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/hooks/wire"
	"github.com/luahook/luahook/internal/userhome"
)

// installFlags are the flags of install.
type installFlags struct {
	project, user     bool
	events            []string
	dryRun, uninstall bool
	mcp               bool
}

func newInstall() *cobra.Command {
	f := &installFlags{}
	cmd := &cobra.Command{
		Use:   "install [AGENT]",
		Short: "Have an agent call luahook for its events, or no longer",
		Long: `install writes "luahook run --agent AGENT" into the agent's own settings, for all its
events but the costly ones, and shows the difference. What else stands there stays,
with comments and indentation. Events that are there stay: --events adds to them.

--uninstall takes luahook out again, of all events or of those that --events names.
Where nothing else has changed, the file is then what it was before, byte for byte.

With --mcp it puts "luahook mcp" before the agent's MCP servers that are programs, so
that hooks judge their tools' calls, also of an agent that has no hooks: their command
becomes "luahook mcp --name NAME -- COMMAND". The agents are then
` + strings.Join(install.MCPAgents(), ", ") + `.

A copy of the file as it was stands beside it, as FILE.luahook-backup.

Without AGENT install says which agents are found on this machine.

Exit status: 0 it is done, or there was nothing to do; 1 nothing was written, or with
an agent that has a file for each event not all of them.`,
		Example: `  luahook install                   # which agents are there?
  luahook install claude --dry-run  # show what would change
  luahook install codex --project
  luahook install cursor --events preToolUse,stop
  luahook install claude --uninstall
  luahook install --mcp claude-desktop`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("install takes one AGENT, got %d arguments; events are named by --events a,b", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.project, "project", false, "in the settings of the project of the current folder")
	flags.BoolVar(&f.user, "user", false, "in your own settings, which is the default")
	flags.StringSliceVar(&f.events, "events", nil, "`EVENTS`, as the agent calls them, with commas between them")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show the difference")
	flags.BoolVar(&f.uninstall, "uninstall", false, "take luahook out of the settings")
	flags.BoolVar(&f.mcp, "mcp", false, "put luahook mcp before the agent's MCP servers, in place of calling luahook for its events")
	return cmd
}

func (f *installFlags) run(cmd *cobra.Command, args []string) error {
	if f.project && f.user {
		return errors.New("--project and --user don't go together")
	}
	if cmd.Flags().Changed("events") && len(f.events) == 0 {
		return errors.New("--events is empty; name events, or leave it out for all but the costly ones")
	}
	if len(args) == 0 {
		if f.events != nil || f.dryRun || f.uninstall || f.mcp {
			return errors.New("which agent? luahook install AGENT; without a flag it lists them")
		}
		return f.list(cmd.OutOrStdout())
	}
	if err := notByHooks("install"); err != nil {
		return err
	}
	if f.mcp {
		return f.runMCP(cmd, strings.ToLower(args[0]))
	}
	agent, err := agentNamed(args[0])
	if err != nil {
		return err
	}
	target, err := f.target(agent)
	if err != nil {
		return err
	}
	plan, err := f.apply(cmd.Context(), cmd.OutOrStdout(), func() (*install.Plan, error) {
		if f.uninstall {
			return target.Uninstall(f.events)
		}
		return target.Install(f.events)
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(cmd.OutOrStdout(), f.outcome(target, plan))
	return err
}

// target is the settings that the flags mean.
func (f *installFlags) target(agent *wire.Agent) (*install.Target, error) {
	t := &install.Target{Agent: agent, Home: userhome.Dir(), Getenv: os.Getenv}
	executable, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("luahook's own file can't be found: %w", err)
	}
	if t.Program, err = install.Program(executable, exec.LookPath); err != nil {
		return nil, err
	}
	if f.project {
		project, err := findProject(".")
		if err != nil {
			return nil, err
		}
		t.Project = project.Root
	}
	return t, nil
}

// rereads is how often a file is read again that somebody changes meanwhile.
const rereads = 5

// apply shows what is to be changed, and changes it.
func (f *installFlags) apply(ctx context.Context, w io.Writer, make func() (*install.Plan, error)) (*install.Plan, error) {
	for left := rereads; ; left-- {
		plan, err := make()
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, terminal.Printable(plan.Diff())); err != nil {
			return nil, fmt.Errorf("nothing was written: the difference can't be shown: %w", err)
		}
		if f.dryRun {
			return plan, nil
		}
		err = plan.Apply(ctx)
		if err == nil || left == 1 || !errors.Is(err, install.ErrChanged) {
			return plan, err
		}
		if _, err := fmt.Fprintln(w, "The file has just been changed; once more:"); err != nil {
			return nil, err
		}
	}
}
