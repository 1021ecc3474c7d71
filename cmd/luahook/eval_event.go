package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/hooks"
)

// readEvent reads the one event of a plain eval.
func (f *evalFlags) readEvent(s *ownprocess.Signals, cmd *cobra.Command, event hooks.Event) (*hooks.Context, error) {
	if f.command != "" {
		return &hooks.Context{Event: cmp.Or(event, hooks.PreToolCall), ToolCall: &hooks.ToolCall{Name: "bash", Command: f.command}}, nil
	}
	if f.sample || (f.eventFile == "" && isTerminal(cmd.InOrStdin())) {
		info := hooks.Lookup(event)
		if info == nil {
			return nil, errors.New("name the event whose sample should be fired; `luahook events` lists them")
		}
		sample := hooks.Sample(info)
		fmt.Fprintf(cmd.ErrOrStderr(), "luahook: firing the built-in sample of %s: %s\n", info.Name, sample)
		return hooks.DecodeContext(sample, event)
	}
	in, err := f.open(cmd)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := readUntilEnded(s, in)
	if err != nil {
		return nil, fmt.Errorf("reading the event: %w", reason(err))
	}
	c, err := decode(data, event, cmd.Name())
	if err != nil {
		return nil, err
	}
	if event != "" && c.Event != event {
		return nil, fmt.Errorf("event: the JSON says %s, the command line %s", c.Event, event)
	}
	return c, nil
}

// readUntilEnded reads an event, until somebody ends the command.
func readUntilEnded(ctx context.Context, in io.Reader) ([]byte, error) {
	type outcome struct {
		data []byte
		err  error
	}
	came := make(chan outcome, 1)
	go func() { // nobody can call it back; it goes with the process
		data, err := io.ReadAll(io.LimitReader(in, hooks.MaxEventBytes+1))
		came <- outcome{data, err}
	}()
	select {
	case o := <-came:
		return o.data, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// open opens what --event names, else standard input. A pipe without a writer is empty,
// and nobody is waited for; one with a writer is what a shell makes of <(COMMAND).
func (f *evalFlags) open(cmd *cobra.Command) (io.ReadCloser, error) {
	if f.eventFile == "" || f.eventFile == "-" {
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	file, err := os.OpenFile(f.eventFile, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("--event %s: %w", f.eventFile, reason(err))
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, fmt.Errorf("--event %s: it is a folder", f.eventFile)
	}
	return file, nil
}

// decode reads an event for a verb; name is for one that doesn't name itself.
func decode(data []byte, name hooks.Event, verb string) (*hooks.Context, error) {
	c, err := hooks.DecodeContext(data, name)
	var bad *hooks.InputError
	if name == "" && errors.As(err, &bad) && bad.Field == "event" && strings.HasPrefix(bad.Message, "missing") {
		return nil, fmt.Errorf("%w in the JSON, or after %s: luahook %s pre_tool_call", err, verb, verb)
	}
	return c, err
}

// isTerminal reports whether somebody would have to type the event.
func isTerminal(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
