package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/install"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/wire"
)

func newDoctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor [AGENT]",
		Short: "Say whether agents call luahook, whether hooks load, and what to do about what is wrong",
		Long: `doctor looks at the whole way from an agent to the hooks: is luahook found, do the
hooks of the user and the project load and are they trusted, is luahook in the
agent's settings, and when did an event come last? It runs the command that stands
in the settings, as the agent would, with a made-up "rm -rf /" that must be denied.

Without AGENT it looks at all agents that it finds on this machine.

Exit status: 0 nothing is wrong, 1 something is.`,
		Example: `  luahook doctor
  luahook doctor codex`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("doctor takes one AGENT, got %d arguments", len(args))
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(agentNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			agents := wire.Agents()
			if len(args) == 1 {
				agent, err := agentNamed(args[0])
				if err != nil {
					return err
				}
				agents = []*wire.Agent{agent}
			}
			d := &doctor{out: cmd.OutOrStdout(), named: len(args) == 1}
			if err := d.examine(cmd.Context(), agents); err != nil {
				return err
			}
			if d.wrong > 0 {
				return exit(exitError)
			}
			return nil
		},
	}
}

// doctor writes what it finds, a line each.
type doctor struct {
	out   io.Writer
	named bool // the user has named an agent, which then is looked at even if it isn't found
	wrong int  // findings that something doesn't work
	seen  map[string]map[hooks.Event]time.Time
	err   error // that kept a line from being written
}

func (d *doctor) line(mark, text string) {
	if _, err := fmt.Fprintf(d.out, "  %-5s %s\n", mark, strings.ReplaceAll(terminal.Printable(text), "\n", "\n        ")); err != nil {
		d.err = err
	}
}

func (d *doctor) title(text string) { _, d.err = fmt.Fprintln(d.out, text) }

// ok is something that works, note something to know.
func (d *doctor) ok(format string, args ...any)   { d.line("ok", fmt.Sprintf(format, args...)) }
func (d *doctor) note(format string, args ...any) { d.line("note", fmt.Sprintf(format, args...)) }

// fail is something that doesn't work, and what to do about it.
func (d *doctor) fail(format string, args ...any) {
	d.wrong++
	d.line("WRONG", fmt.Sprintf(format, args...))
}

func (d *doctor) examine(ctx context.Context, agents []*wire.Agent) error {
	target, err := (&installFlags{}).target(nil)
	if err != nil {
		return err
	}
	d.title("luahook")
	if filepath.IsAbs(target.Program) {
		d.note("the PATH doesn't lead to this luahook: settings name %s, which must stay there", target.Program)
	} else {
		d.ok("the PATH leads to this luahook")
	}
	d.title("hooks")
	e := d.examineHooks()
	if e != nil {
		defer func() { _ = e.close(ctx, nil) }()
	}
	d.readLog()
	found := 0
	for _, agent := range agents {
		if d.examineAgent(ctx, agent, e) {
			found++
		}
	}
	if found == 0 {
		d.title("agents")
		d.note("none was found here, and none has luahook in its settings: luahook install AGENT")
	}
	return d.err
}

// examineHooks says whether the hooks load. It returns nil where no event can be judged.
func (d *doctor) examineHooks() *localEngine {
	flags := &engineFlags{tries: true}
	e, err := flags.open(io.Discard)
	if err != nil {
		d.fail("no event can be judged: %v", err)
		return nil
	}
	for _, err := range e.LoadErrors() {
		d.fail("%s", strings.TrimPrefix(err.Error(), "luahook: "))
	}
	if len(e.LoadErrors()) == 0 {
		d.ok("those of the machine, the user and the project load")
	}
	project, err := engine.FindProject(e.cwd)
	var survey *engine.Survey
	if err == nil && !hasHooks(project) {
		d.note("%s has no hooks of its own", project.Root)
		return e
	}
	if err == nil {
		survey, err = engine.SurveyProject(project, engine.TrustFile())
	}
	switch {
	case err != nil:
		d.fail("%v", err)
	case survey.State == engine.ProjectTrusted || survey.State == engine.ProjectFolderTrusted:
		d.ok("%s is trusted", project.Root)
	default:
		d.note("%s: %s. Its hooks can deny and inform until you say: luahook trust", project.Root, show.Standing(survey))
	}
	return e
}

// readLog notes when which event of an agent came last.
func (d *doctor) readLog() {
	d.seen = map[string]map[hooks.Event]time.Time{}
	dir := logDir()
	if dir == "" {
		return
	}
	_, err := audit.Read(dir, audit.Filter{Kind: audit.KindDecision}, func(r audit.Entry) bool {
		if r.Host == "" || r.Session == wire.TrialSession {
			return true
		}
		if d.seen[r.Host] == nil {
			d.seen[r.Host] = map[hooks.Event]time.Time{}
		}
		d.seen[r.Host][r.Event] = r.Time
		return true
	})
	if err != nil {
		d.fail("the decision log can't be read: %v", err)
	}
}

// examineAgent looks at an agent's settings, its user's and the project's. It returns false where there is nothing
// of the agent here.
func (d *doctor) examineAgent(ctx context.Context, agent *wire.Agent, e *localEngine) bool {
	var entries []install.Entry
	var flaws []install.Flaw
	var problems []error
	user, err := (&installFlags{}).target(agent)
	if err != nil {
		problems = append(problems, err)
		user = &install.Target{Agent: agent}
	}
	program, folder := user.Find(exec.LookPath)
	targets := []*install.Target{user}
	if project, err := (&installFlags{project: true}).target(agent); err == nil && project.Project != user.Home {
		targets = append(targets, project)
	}
	for _, t := range targets {
		state, err := t.Look()
		if err != nil {
			problems = append(problems, err)
			continue
		}
		entries = append(entries, state.Entries...)
		flaws = append(flaws, state.Flaws...)
	}
	if program == "" && folder == "" && len(entries) == 0 && !d.named {
		return false
	}
	d.title(agent.Title)
	if program == "" {
		d.note("its program isn't in the PATH")
	}
	for _, err := range problems {
		d.fail("%s", err)
	}
	switch {
	case len(entries) > 0:
		d.tellFlaws(agent, flaws)
		d.examineEntries(ctx, user, entries, e)
	case d.named && len(problems) == 0:
		d.fail("it doesn't call luahook: luahook install %s", agent.Name)
	case len(problems) == 0:
		d.note("it doesn't call luahook: luahook install %s", agent.Name)
	}
	return true
}

// tellFlaws says why an agent doesn't run what stands in its settings.
func (d *doctor) tellFlaws(agent *wire.Agent, flaws []install.Flaw) {
	for _, flaw := range flaws {
		if text := flawOf(agent, flaw); flaw.Never {
			d.fail("%s", text)
		} else {
			d.note("%s", text)
		}
	}
}

// flawOf says what a flaw comes to.
func flawOf(agent *wire.Agent, flaw install.Flaw) string {
	what := "its hooks don't run"
	switch {
	case flaw.Event != "" && flaw.Never:
		what = flaw.Event + " isn't judged"
	case flaw.Event != "":
		what = flaw.Event + " isn't judged always"
	}
	return fmt.Sprintf("%s: %s by %s: %s", terminal.Shown(atHome(flaw.File)), what, agent.Title, flaw.Why)
}

// examineEntries looks at what stands in an agent's settings.
func (d *doctor) examineEntries(ctx context.Context, t *install.Target, entries []install.Entry, e *localEngine) {
	var files, events []string
	var commands [][]string
	for _, entry := range entries {
		if entry.Dead {
			continue
		}
		if !slices.Contains(files, entry.File) {
			files = append(files, entry.File)
		}
		if slices.Contains(events, entry.Event) {
			d.fail("%s calls luahook twice for %s: take one out, in %s", t.Agent.Title, entry.Event, strings.Join(files, " or "))
		}
		events = append(events, entry.Event)
		if !entry.Current {
			d.fail("%s: the command for %s is an old one: luahook install %s", entry.File, entry.Event, t.Agent.Name)
		}
		if len(entry.Command) > 0 && (entry.Event == "" || t.Agent.EventNamed(entry.Event) == guarded(t.Agent)) {
			commands = append(commands, entry.Command)
		}
	}
	for i, file := range files {
		if folder := filepath.Dir(file); i > 0 && folder == filepath.Dir(files[i-1]) {
			continue // an agent with a file for each event
		} else if n := countIn(files, folder); n > 1 {
			d.ok("%d files in %s call luahook", n, atHome(folder))
		} else {
			d.ok("%s calls luahook", atHome(file))
		}
	}
	usual, err := t.Events(nil)
	if err != nil {
		d.fail("%v", err)
	}
	var missing []string
	for _, event := range usual {
		if !slices.Contains(events, event.Name) && !slices.Contains(events, "") {
			missing = append(missing, event.Name)
		}
	}
	if len(missing) > 0 {
		d.note("not for %s: luahook install %s", strings.Join(missing, ", "), t.Agent.Name)
	}
	if len(commands) == 0 {
		d.fail("no tool call is judged: luahook install %s", t.Agent.Name)
	}
	for _, command := range commands {
		d.try(ctx, t.Agent, command, e)
	}
	if note := t.Unstarted(); note != "" {
		d.note("%s", note)
	}
	d.tellLast(t)
}

// countIn is how many files lie in a folder.
func countIn(files []string, folder string) (n int) {
	for _, file := range files {
		if filepath.Dir(file) == folder {
			n++
		}
	}
	return n
}

// guarded is the event of an agent that comes before a tool call.
func guarded(a *wire.Agent) *wire.Event {
	name, _ := a.Trial("", "")
	return a.EventNamed(name)
}

// tellLast says when the events of an agent came last.
func (d *doctor) tellLast(t *install.Target) {
	var parts []string
	for i := range t.Agent.Events {
		event := t.Agent.Events[i].Event
		last, came := d.seen[t.Agent.Name][event]
		if text := fmt.Sprintf("%s %s ago", event, time.Since(last).Round(time.Second)); came && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	if len(parts) > 0 {
		d.ok("last events: %s", strings.Join(parts, ", "))
		return
	}
	d.note("no event has come from it yet")
	for _, note := range t.Notes() {
		d.note("%s", note)
	}
}

// trialCommand is what hooks are tried with. It must be denied, and runs nowhere.
const trialCommand = "rm -rf /"

// isTrial reports whether an event is the one that doctor tries hooks with.
func isTrial(c *hooks.Context) bool {
	if c.SessionID != wire.TrialSession {
		return false
	}
	completed, err := c.Complete()
	return err == nil && completed.ToolCall != nil && completed.ToolCall.Command == trialCommand
}

// trialTime is how long the command in the settings may take to answer.
const trialTime = 20 * time.Second

// try runs the command that stands in the settings, as the agent would, with a call that must be denied.
func (d *doctor) try(ctx context.Context, agent *wire.Agent, command []string, e *localEngine) {
	if e == nil {
		return
	}
	event, data := agent.Trial(trialCommand, e.cwd)
	call, err := agent.Decode(data, event)
	if err != nil {
		d.fail("the trial: %v", err)
		return
	}
	r, err := e.Fire(ctx, call.Context)
	if err != nil {
		d.fail("the trial can't be judged: %v", err)
		return
	}
	if !r.Block {
		d.fail("`rm -rf /` isn't denied: safety-guard is off, or somebody has let it through (luahook allow --list, luahook off)")
		return
	}
	want := call.Encode(r)
	late, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	line := strings.Join(command, " ")
	if !slices.Contains(command, "--event") {
		command = append(slices.Clone(command), "--event", event)
	}
	cmd := exec.CommandContext(late, command[0], command[1:]...)
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = e.cwd, bytes.NewReader(data), time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var status *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		d.fail("`%s` isn't found: put the folder of luahook into the PATH of %s, or luahook install %s", command[0], agent.Title, agent.Name)
	case err != nil && !errors.As(err, &status):
		d.fail("`%s` can't be run: %v", line, err)
	case late.Err() != nil:
		d.fail("`%s` hasn't answered within %s", line, trialTime)
	case bytes.Equal(stdout.Bytes(), want.Stdout) && cmd.ProcessState.ExitCode() == want.Exit && strings.HasPrefix(stderr.String(), want.Stderr):
		d.ok("`%s` denies a made-up `rm -rf /`", line)
	default:
		d.fail("`%s` answers a made-up `rm -rf /` with exit status %d, %q %q; want %d, %q %q", line,
			cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), want.Exit, want.Stdout, want.Stderr)
	}
}
