package engine

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/hooks"
)

// commandTimeout is how long a command hook may run that says nothing itself.
const commandTimeout = 30 * time.Second

// callCommand runs a command hook, for its own time or what is left of the event's.
func (f *firing) callCommand(caller context.Context, e *entry, left time.Duration, a *attempt) {
	if e.still != nil {
		if err := e.still(); err != nil {
			a.failure = &hooks.Error{Kind: hooks.KindTrust, Message: err.Error(), Err: err}
			return
		}
	}
	timeout := min(e.options.Timeout, left)
	ctx, cancel := context.WithTimeout(caller, timeout)
	defer cancel()
	event := *f.event
	event.Spelling = e.spelling
	event.Root = cmp.Or(filepath.ToSlash(e.root), event.Root)
	out := e.command.Run(ctx, command.Call{
		Event: &event, Hook: e.options.Name, ProjectDir: cmp.Or(e.root, f.engine.options.root),
		Depth: f.depth + 1, InjectOutput: e.inject,
	})
	a.result, a.failure, a.run.Command, a.run.Entries = out.Result, out.Err, out.Run, out.Entries
	a.began = out.Run != nil
	if out.Log != "" {
		f.engine.options.logger.Info(out.Log, "hook", e.options.Name, "source", e.source)
	}
	if a.failure != nil && errors.Is(a.failure, context.DeadlineExceeded) && caller.Err() == nil && timeout < e.options.Timeout {
		a.failure.Message = f.late(e, timeout, nil).Message
	}
}
