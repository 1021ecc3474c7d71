//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"

	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Who waits in a hook is told of a signal, and the process lives on to say so.
func TestSignalEndsWhatHooksWaitFor(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	_, err = e.RegisterHook(hooks.PreToolCall, hooks.Options{}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		done := ctx.Done()
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			return nil, err
		}
		<-done
		return nil, ctx.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	c := &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": "ls"}}}
	s := ownprocess.CatchSignals(t.Context())
	defer s.Stop()
	if r, err := e.Fire(s, c); err == nil || !r.Block || !errors.Is(s.Cause(), ownprocess.ErrInterrupted) {
		t.Errorf("got %v, %v, %v", r, err, s.Cause())
	}
}
