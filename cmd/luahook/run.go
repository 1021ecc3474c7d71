package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/wire"
	"github.com/luahook/luahook/internal/process"
	"github.com/luahook/luahook/internal/spelling"
)

// runFlags are the flags of run.
type runFlags struct {
	engine engineFlags
	agent  string
	event  string
}

func newRun() *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run --agent NAME",
		Short: "Answer an agent's hook event: the hook command of Claude Code, Codex, Gemini CLI ...",
		Long: `run is the hook command that agents call. It reads one event from standard input in
the agent's own JSON, fires it at the hooks of the machine, the user, the project
and the built-in ones, and answers as that agent reads it. luahook install writes
it into the agent's settings.

The agents are ` + strings.Join(agentNames(), ", ") + `; auto finds out
which one it is. --event names the event for agents that don't say it in the JSON.

Whatever fails (the event can't be read, a hook is broken, time runs out), the
answer is the agent's own way to block what can be blocked. Decisions are recorded
in the decision log (luahook log); record: off in your hooks.yaml turns that off.

Exit status: what the agent reads as its answer, 0 or 2 as a rule (docs/agents.md). It
is 2 for an event that can be blocked if the answer can't be written, or if nobody can
read it because standard output is closed or /dev/null.`,
		Example: `  luahook run --agent claude < event.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("run takes no arguments, got %q; the event comes on standard input", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if status := answerAgent(cmd, f); status != exitOK {
				return exit(status)
			}
			return nil
		},
	}
	f.engine.add(cmd)
	f.engine.record = true
	flags := cmd.Flags()
	flags.StringVar(&f.agent, "agent", "", "the agent that calls: `NAME` or auto")
	flags.StringVar(&f.event, "event", "", "what happens, `EVENT`, where the agent doesn't say it")
	completeFrom(cmd, "agent", append(agentNames(), "auto")...)
	return cmd
}

// agentNames are the names of the agents that luahook can talk to.
func agentNames() []string {
	var names []string
	for _, a := range wire.Agents() {
		names = append(names, a.Name)
	}
	return names
}

// agentNamed is the agent of that name.
func agentNamed(name string) (*wire.Agent, error) {
	if a := wire.Named(name); a != nil {
		return a, nil
	}
	return nil, fmt.Errorf("unknown agent %q%s", name, cmp.Or(spelling.DidYouMean(name, agentNames()), "; there are "+strings.Join(agentNames(), ", ")))
}

// answerAgent reads an event, judges it and writes the answer. It returns the exit status.
func answerAgent(cmd *cobra.Command, f *runFlags) int {
	started := time.Now()
	out, notes := ownprocess.Bounded(cmd.OutOrStdout(), cmd.ErrOrStderr())
	_ = process.AdoptOrphans()
	ownprocess.PostponeCollection()
	s := ownprocess.CatchSignals(cmd.Context())
	defer s.Stop()

	agent, data, err := f.read(s, cmd.InOrStdin())
	if agent == nil { // nobody knows in whose words to say no: most agents take this for it
		fmt.Fprintf(notes, "luahook: %s\n", terminal.Printable(err.Error()))
		return exitBlock
	}
	call, bad := agent.Decode(data, f.event)
	if wire.IsUnnamed(bad) {
		bad = fmt.Errorf("%w; say what happens with --event", bad)
	}
	if err == nil {
		err = bad
	}
	within, cancel := context.WithDeadlineCause(s, started.Add(call.Event.Deadline()), fmt.Errorf(
		"hooks took longer than %s, and %s waits %s for %s", call.Event.Deadline(), agent.Title, call.Event.Wait(), call.Event.Name))
	defer cancel()

	log := &heldNotes{}
	var e *localEngine
	if err == nil {
		e, err = f.open(agent, call, log)
	}
	var r *hooks.Result
	ctx, delivery := engine.Delivering(within)
	if err == nil {
		r, err = e.Fire(ctx, call.Context)
	}
	if err != nil {
		switch {
		case errors.Is(s.Cause(), ownprocess.ErrInterrupted):
			err = ownprocess.ErrInterrupted
		case errors.Is(err, context.DeadlineExceeded) && within.Err() != nil:
			err = context.Cause(within)
		}
		r = engine.Unjudged(call.Event.Event, errors.New(strings.TrimPrefix(err.Error(), "luahook: ")))
		delivery = nil
	}
	answer := call.Encode(r)
	status := answer.Exit
	if err := deliver(out, cmd.OutOrStdout(), answer.Stdout); err != nil {
		delivery = nil
		status = failed(call.Event.Event)
		answer.Stderr += fmt.Sprintf("luahook: the answer can't be written: %v\n", reason(err))
	}
	_, _ = io.WriteString(notes, answer.Stderr) // the exit status says it, too
	if status == exitOK && !agent.Silent {
		_, _ = notes.Write(log.text())
	}
	if e != nil {
		e.noteLost(within, call.Context, answer.Lost)
		if err := e.close(cmd.Context(), delivery); err != nil && status == exitOK && !agent.Silent {
			fmt.Fprintln(notes, "luahook: warning:", strings.TrimPrefix(err.Error(), "luahook: "))
		}
	}
	return status
}

// deliver writes the answer to standard output, by way of out. The system opens the null device in the place of an
// output that is closed, and an agent reads there nothing of a denial.
func deliver(out, stdout io.Writer, answer []byte) error {
	if len(answer) == 0 {
		return nil
	}
	if isNull(stdout) {
		return ownprocess.ErrUnread
	}
	_, err := out.Write(answer)
	return err
}

// isNull reports whether an output is the null device.
func isNull(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	null, nullErr := os.Stat(os.DevNull)
	return err == nil && nullErr == nil && os.SameFile(info, null)
}

// read reads the event, and finds out who has sent it. The agent is nil where that can't be known.
func (f *runFlags) read(s *ownprocess.Signals, in io.Reader) (agent *wire.Agent, data []byte, err error) {
	auto := spelling.Fold(f.agent) == "auto"
	switch {
	case f.agent == "":
		return nil, nil, errors.New("run needs --agent: " + strings.Join(agentNames(), ", ") + " or auto")
	case !auto:
		if agent, err = agentNamed(f.agent); err != nil {
			return nil, nil, err
		}
	}
	if isTerminal(in) {
		return nil, nil, errors.New("run reads an event that an agent sends; `luahook eval EVENT --sample` tries the hooks by hand")
	}
	late, cancel := context.WithTimeout(s, readTime)
	defer cancel()
	if data, err = readUntilEnded(late, in); err != nil {
		err = fmt.Errorf("reading the event: %w", reason(err))
	}
	if auto {
		if agent = wire.Detect(data, os.Getenv); agent == nil {
			return nil, nil, errors.Join(err, errors.New("which agent has sent this can't be told; name it with --agent"))
		}
	}
	return agent, data, err
}

// readTime is how long an agent may take to send an event.
const readTime = 20 * time.Second

// open makes the engine for a call: with the project that the agent works in, wherever it has gone meanwhile.
func (f *runFlags) open(agent *wire.Agent, call *wire.Call, log io.Writer) (*localEngine, error) {
	if f.engine.cwd == "" {
		f.engine.cwd = projectFolder(agent, call.Context.CWD)
	}
	f.engine.host = agent.Name
	if isTrial(call.Context) {
		f.engine.tries, f.engine.record = true, false
	}
	e, err := f.engine.open(log)
	if err == nil && call.Context.CWD == "" {
		call.Context.CWD = e.cwd
	}
	return e, err
}

// projectFolder is the folder in which an agent's project is looked for: the one that the agent names, or the current
// one (""). Where that has no hooks and the folder that the event is about has some, it's the latter: the agent runs
// its user's hooks in a folder of its own.
func projectFolder(agent *wire.Agent, of string) string {
	if agent.Folder != "" && os.Getenv(agent.Folder) != "" {
		return os.Getenv(agent.Folder)
	}
	if !filepath.IsAbs(of) || !isFolder(of) || underHooks(".") || !underHooks(of) {
		return ""
	}
	return of
}

// underHooks reports whether a folder lies in a project with hooks.
func underHooks(folder string) bool {
	project, err := engine.FindProject(folder)
	if err != nil {
		return false
	}
	for p := &project; p != nil; p = p.Around {
		if hasHooks(*p) {
			return true
		}
	}
	return false
}

// heldNotes keeps what hooks print until the answer is written: an agent may take it for one. Several goroutines
// may write to it.
type heldNotes struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

// maxNotes is how much of it is kept.
const maxNotes = 64 << 10

func (n *heldNotes) Write(text []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.kept.Write(text[:min(len(text), maxNotes-n.kept.Len())])
	return len(text), nil
}

func (n *heldNotes) text() []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	return bytes.Clone(n.kept.Bytes())
}

// noteLost notes in the decision log what an agent couldn't be told. Nothing depends on it.
func (e *localEngine) noteLost(ctx context.Context, c *hooks.Context, lost []string) {
	if e.log == nil || len(lost) == 0 {
		return
	}
	record := audit.About(audit.KindNote, c)
	record.Hook, record.Note, record.Text = "luahook run", "not delivered", strings.Join(lost, "\n")
	_ = e.log.Append(ctx, record)
}
