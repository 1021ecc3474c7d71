package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/luahook/luahook/cmd/luahook/internal/install"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/hooks/wire"
	"github.com/luahook/luahook/internal/userhome"
)

// outcome says what was done, and what the user has to do.
func (f *installFlags) outcome(t *install.Target, plan *install.Plan) string {
	var b strings.Builder
	files := make([]string, 0, len(plan.Files()))
	for _, path := range plan.Files() {
		files = append(files, terminal.Shown(path))
	}
	switch where := strings.Join(files, ", "); {
	case plan.Empty() && f.uninstall:
		fmt.Fprintf(&b, "nothing to do: luahook is not in the settings of %s\n", t.Agent.Title)
	case plan.Empty():
		fmt.Fprintf(&b, "nothing to do: %s calls luahook already\n", t.Agent.Title)
	case f.dryRun:
		b.WriteString("nothing was written: this is what would change\n")
		return b.String()
	case f.uninstall:
		fmt.Fprintf(&b, "uninstalled: %s doesn't call luahook any more (%s)\n", f.subject(t), where)
	default:
		fmt.Fprintf(&b, "installed: %s calls luahook (%s)\n", f.subject(t), where)
	}
	if f.uninstall {
		return b.String()
	}
	if state, err := t.Look(); err == nil {
		for _, flaw := range state.Flaws {
			fmt.Fprintf(&b, "warning: %s\n", flawOf(t.Agent, flaw))
		}
	}
	notes := t.Notes()
	if note := t.Unstarted(); note != "" {
		notes = append(notes, terminal.Shown(note))
	}
	if t.Project != "" && filepath.IsAbs(t.Program) {
		notes = append(notes, fmt.Sprintf("The project's settings name %s, which others may not have there: "+
			"put luahook's folder in PATH, and install again.", terminal.Shown(t.Program)))
	}
	for _, note := range notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}

// subject is the agent, and where not all is meant its events.
func (f *installFlags) subject(t *install.Target) string {
	if len(f.events) == 0 {
		return t.Agent.Title
	}
	return fmt.Sprintf("%s (%s)", t.Agent.Title, terminal.Shown(strings.Join(f.events, ", ")))
}

// list says which agents are found on this machine, and whether they call luahook.
func (f *installFlags) list(w io.Writer) error {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	found := 0
	for _, agent := range wire.Agents() {
		t, err := f.target(agent)
		if err != nil {
			return err
		}
		program, folder := t.Find(exec.LookPath)
		if program == "" && folder == "" {
			continue
		}
		found++
		signs := make([]string, 0, 2)
		for _, sign := range []string{program, folder} {
			if sign != "" {
				signs = append(signs, terminal.Shown(atHome(sign)))
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", agent.Title, strings.Join(signs, ", "), f.advice(t))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if found == 0 {
		fmt.Fprintf(&b, "no agent was found here; luahook install AGENT knows %s\n", strings.Join(agentNames(), ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// advice is the command for an agent, or that there is no need for it.
func (f *installFlags) advice(t *install.Target) string {
	line := "luahook install " + t.Agent.Name
	if f.project {
		line += " --project"
	}
	state, err := t.Look()
	if err != nil {
		return terminal.Shown(err.Error())
	}
	if len(state.Entries) == 0 {
		return line
	}
	for _, e := range state.Entries {
		if !e.Current {
			return line + "  (its command line is an old one)"
		}
	}
	if slices.ContainsFunc(state.Flaws, func(flaw install.Flaw) bool { return flaw.Never }) {
		return "installed, and doesn't run: luahook doctor " + t.Agent.Name
	}
	return "installed"
}

// atHome is a path with ~ for the home folder.
func atHome(path string) string {
	home := userhome.Dir()
	if below, is := strings.CutPrefix(path, home+string(os.PathSeparator)); is && home != "" {
		return filepath.Join("~", below)
	}
	return path
}
