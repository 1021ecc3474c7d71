package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// badLine is the answer to a line that is no event: a failure never reads as
// approval.
type badLine struct {
	Line     int            `json:"line"`
	Error    string         `json:"error"`
	Decision hooks.Decision `json:"decision"`
	Block    bool           `json:"block"`
	Reason   string         `json:"reason"`
}

func refuseLine(number int, err error) badLine {
	return badLine{Line: number, Error: err.Error(), Decision: hooks.Deny, Block: true, Reason: err.Error()}
}

// evalLines answers one event a line, in order; event is for lines without one of
// their own.
func evalLines(cmd *cobra.Command, f *evalFlags, event hooks.Event) error {
	in, err := f.open(cmd)
	if err != nil {
		return err
	}
	defer in.Close()
	e, err := f.engine.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer func() { warnClosing(cmd.ErrOrStderr(), e.close(cmd.Context(), nil)) }()
	r := bufio.NewReaderSize(in, 64<<10)
	w := bufio.NewWriter(cmd.OutOrStdout())
	s := ownprocess.CatchSignals(cmd.Context())
	defer s.Stop()
	for number := 1; ; number++ {
		waits := !hasLine(r)
		if waits {
			s.SetIdle(true)
		}
		line, err := readLine(r)
		if waits {
			s.SetIdle(false)
		}
		if errors.Is(err, io.EOF) {
			return w.Flush()
		}
		if err != nil {
			return errors.Join(fmt.Errorf("reading line %d: %w", number, err), w.Flush())
		}
		ctx, delivery := engine.Delivering(s)
		answer, err := hooks.EncodeJSON(evalLine(ctx, e, line, event, number))
		if err != nil {
			return errors.Join(fmt.Errorf("line %d: the result can't be written: %w", number, err), w.Flush())
		}
		w.Write(answer) // an error of the writer stays with it until Flush
		w.WriteByte('\n')
		if r.Buffered() == 0 || delivery.Owes() { // whoever sent the line may be waiting for its answer
			if err := w.Flush(); err != nil {
				return fmt.Errorf("the result can't be written: %w", err)
			}
			delivery.Done()
		}
		if err := s.Cause(); err != nil {
			return errors.Join(err, w.Flush())
		}
	}
}

func evalLine(ctx context.Context, e *localEngine, line []byte, event hooks.Event, number int) any {
	c, err := decode(line, event, "eval")
	if err != nil {
		return refuseLine(number, err)
	}
	if c.CWD == "" {
		c.CWD = e.cwd
	}
	r, err := e.Fire(ctx, c)
	if err != nil {
		return refuseLine(number, err)
	}
	return r
}

// hasLine reports whether the next line can be read without waiting for it.
func hasLine(r *bufio.Reader) bool {
	buffered, err := r.Peek(r.Buffered())
	return err == nil && bytes.IndexByte(buffered, '\n') >= 0
}

// readLine reads one line without its end. Of a line that is larger than an event may
// be, it keeps just enough for the event to be refused. The error is io.EOF after the
// last line.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if room := hooks.MaxEventBytes + 1 - len(line); room > 0 {
			line = append(line, part[:min(len(part), room)]...)
		}
		switch {
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		default:
			return nil, err
		}
	}
}
