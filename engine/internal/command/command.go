// Package command runs command hooks: programs that are told of an event on stdin and
// in variables, and answer with their output and exit status.
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/misuse"
	"github.com/luahook/luahook/internal/process"
)

// What is kept of the output of a command.
const (
	maxStdout = 1 << 20
	maxStderr = 64 << 10
)

// maxValue is the length of a variable's value in bytes that every system takes beside
// its name.
const maxValue = 96 << 10

// maxShell is the length of a text for the shell. The work of reading one grows with the
// square of its length, and it may be a stranger's.
const maxShell = 8 << 10

// Command is a checked command hook. It never changes; its methods may be called from
// several goroutines at once.
type Command struct {
	shell   string     // what `sh -c` is given, with the variables in it quoted
	program template   // without a shell: what is run
	args    []template // its arguments
}

// Call is what a command is told.
type Call struct {
	Event        *hooks.Context // complete; not changed
	Hook         string         // its name
	ProjectDir   string         // absolute: LUAHOOK_PROJECT_DIR
	Dir          string         // absolute: where it runs; "": in ProjectDir
	Env          []string       // in place of the process's environment; nil: that
	Depth        int            // LUAHOOK_DEPTH of the child
	InjectOutput bool           // plain text on stdout is context for the model
}

// Outcome is what came of a run.
type Outcome struct {
	Result  *hooks.Result     // nil: no opinion
	Run     *hooks.CommandRun // nil: it was not started
	Entries []hooks.Entry
	Log     string       // plain text on stdout that is no context, and stderr of a success: for the hook log
	Err     *hooks.Error // it failed; of kind command, with Limit time where its time was over
}

// New checks a command hook. Where args is nil, text goes to `sh -c`, with each plain
// $NAME and ${NAME} of the [Names] (with or without LUAHOOK_ before it) quoted, so that
// its value is one word, or a part of one, whatever is in it. Otherwise text is the
// program and args are its arguments, in which $NAME and ${NAME} are replaced.
//
// The error is one line, "LINE:COLUMN: MESSAGE" for a place in a shell text. It is for
// a text that is empty, longer than 96 KiB (8 KiB for the shell) or no shell text, for names where a shell or
// an interpreter would run their value, names of ours that are misspelt, and [[ and ((,
// which sh need not have: its failure at them would read as a no.
func New(text string, args []string) (*Command, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("the command is empty")
	}
	for _, s := range append([]string{text}, args...) {
		if strings.IndexByte(s, 0) >= 0 {
			return nil, errors.New("there is a NUL byte in the command")
		}
		if len(s) > maxValue {
			return nil, fmt.Errorf("a text of %d bytes is longer than a command can be given (%d); put it into a file and run that", len(s), maxValue)
		}
	}
	if args == nil {
		if len(text) > maxShell {
			return nil, fmt.Errorf("a text of %d bytes is longer than one for the shell may be (%d); put it into a file and run that", len(text), maxShell)
		}
		if err := checkText(text); err != nil {
			return nil, err
		}
		quoted, err := quoteNames(text)
		if err != nil {
			return nil, err
		}
		if quoted[0] == '-' || quoted[0] == '+' {
			quoted = " " + quoted // an option of the shell
		}
		return &Command{shell: quoted}, nil
	}
	return newDirect(text, args)
}

// Run runs the command until it has answered or ctx is over, which ends it and all
// that it has started, as far as [process.Run] finds it. How long it may take is up to
// ctx.
func (c *Command) Run(ctx context.Context, call Call) Outcome {
	run, began := run{call: call}, time.Now()
	if err := misuse.Check(ctx, c != nil && (c.shell != "" || c.program != nil), "command.New"); err != nil {
		return run.failed(err, "%s", err)
	}
	if call.Event == nil {
		call.Event = &hooks.Context{}
	}
	spec, err := c.spec(call)
	if err != nil {
		return run.failed(err, "%s", err)
	}
	done, err := process.Run(ctx, spec)
	if start := (*process.StartError)(nil); errors.As(err, &start) {
		if cause := ctx.Err(); cause != nil {
			return run.ended(cause, "it was not started: the caller gave up before")
		}
		return run.failed(err, "%s", start)
	}
	run.started(done)
	if err != nil {
		cause := ctx.Err()
		if !errors.Is(cause, context.DeadlineExceeded) {
			return run.ended(cause, "it was ended while it ran: the caller gave up")
		}
		deadline, _ := ctx.Deadline()
		run.out.Run.TimedOut = true
		return run.ended(cause, fmt.Sprintf("it was still running after %s and was ended, with %s; give it a longer timeout, or fix what hangs", roughly(deadline.Sub(began)), whatElse(done)))
	}
	return run.read(done)
}

// whatElse is what was ended beside the program itself.
func whatElse(o process.Outcome) string {
	if o.All {
		return "all that it had started"
	}
	return "what was found of all that it had started"
}

// roughly is a duration as somebody has written it down.
func roughly(d time.Duration) time.Duration {
	switch {
	case d > time.Second:
		return d.Round(100 * time.Millisecond)
	case d > 100*time.Millisecond:
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}

// spec is what is run for a call.
func (c *Command) spec(call Call) (process.Spec, error) {
	values, err := valuesOf(call)
	if err != nil {
		return process.Spec{}, err
	}
	event, err := hooks.EncodeJSON(call.Event)
	if err != nil {
		return process.Spec{}, fmt.Errorf("the event can't be written as JSON: %w", err)
	}
	s := process.Spec{
		Dir: cmp.Or(call.Dir, call.ProjectDir), Env: environment(call.Env, values), Stdin: append(event, '\n'), MaxStdout: maxStdout, MaxStderr: maxStderr,
	}
	if c.shell != "" {
		s.Path, s.Args = process.Shell(), []string{"-c", c.shell}
		return s, nil
	}
	s.Path = c.program.with(values)
	for _, a := range c.args {
		s.Args = append(s.Args, a.with(values))
	}
	return s, nil
}
