package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// stopped tells whether an earlier deny keeps the hook from running. A deny ends
// the chain; that of a file which can't be used ends it for its own scope only, so
// that the other scopes' guards still speak.
func (f *firing) stopped(e *entry) bool {
	return f.denied != nil && (f.denied.fault == nil || f.denied.scope == e.scope)
}

// concerns tells whether the hook runs for the event as it is now.
func (f *firing) concerns(e *entry) bool {
	if !e.options.Match.Matches(f.event) {
		return false
	}
	return !e.options.Once || f.event.Judging || f.engine.once.first(f.event.SessionID, e)
}

// call runs one hook and records the run. failure is set where it failed; result is
// nil then, and where the hook has no opinion.
func (f *firing) call(ctx context.Context, e *entry) (result *hooks.Result, failure *hooks.Error) {
	if f.id == 0 {
		f.id = f.engine.fires.Add(1)
	}
	started := time.Now()
	run := hooks.Run{
		ID: strconv.FormatUint(f.id, 10) + "." + strconv.Itoa(len(f.runs)+1), Hook: e.options.Name, Event: f.event.Event, Handler: e.handler,
		Mode: hooks.ModeSync, Scope: e.scope, Source: e.source, Order: e.order, Judging: f.event.Judging, Status: hooks.StatusCompleted,
	}
	switch {
	case ctx.Err() != nil:
		failure = gaveUp(ctx, "the caller gave up before it ran")
	case e.fault != nil:
		result, failure = f.faulty(e)
	case e.fn != nil:
		result, failure = f.callGo(ctx, e)
	default:
		var out luabind.Outcome
		out, failure = f.callLua(ctx, e)
		result, run.Instructions, run.Entries = out.Result, out.Instructions, out.Entries
	}
	if failure != nil {
		named := *failure
		named.Hook = e.options.Name
		if named.Source == "" {
			named.Source = e.source
		}
		failure = &named
		run.Status, run.Error = hooks.StatusFailed, failure.RunError()
	}
	run.DurationUS = time.Since(started).Microseconds()
	f.runs = append(f.runs, run)
	if f.seen != nil {
		f.seen[e.order-1] = f.version
	}
	return result, failure
}

func gaveUp(ctx context.Context, message string) *hooks.Error {
	return &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: message + ": " + ctx.Err().Error(), Err: ctx.Err()}
}

// callLua runs a Lua hook in a state of its script's pool.
func (f *firing) callLua(ctx context.Context, e *entry) (luabind.Outcome, *hooks.Error) {
	pool := f.engine.pool
	state, err := pool.acquire(ctx, e.script)
	if err != nil {
		if ctx.Err() != nil {
			return luabind.Outcome{}, gaveUp(ctx, "the caller gave up while all Lua states were at work")
		}
		return luabind.Outcome{}, hooks.AsError(err, hooks.KindHost)
	}
	defer pool.release(e.script, state)
	out := state.Call(ctx, e.index, f.event, Limits{Timeout: e.options.Timeout})
	return out, out.Err
}

// callGo runs a Go hook on a copy of the event. One that doesn't return when its
// time is over is left behind and its answer dropped; Close waits for it.
func (f *firing) callGo(ctx context.Context, e *entry) (*hooks.Result, *hooks.Error) {
	if e.options.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, e.options.Timeout)
		defer cancel()
	}
	event := f.event.Clone()
	if ctx.Done() == nil {
		return protect(ctx, e.fn, event)
	}
	type answer struct {
		result  *hooks.Result
		failure *hooks.Error
	}
	done := make(chan answer, 1)
	f.engine.active.running.Add(1)
	go func() {
		defer f.engine.active.end()
		r, failure := protect(ctx, e.fn, event)
		done <- answer{r, failure}
	}()
	select {
	case a := <-done:
		return a.result, a.failure
	case <-ctx.Done():
		return nil, gaveUp(ctx, "it did not return in time")
	}
}

// protect calls a Go hook and checks its answer; a panic is an error.
func protect(ctx context.Context, fn hooks.Func, c *hooks.Context) (result *hooks.Result, failure *hooks.Error) {
	defer func() {
		if r := recover(); r != nil {
			result, failure = nil, &hooks.Error{Kind: hooks.KindHost, Message: fmt.Sprintf("it panicked: %v", r), Traceback: string(debug.Stack())}
		}
	}()
	given, err := fn(ctx, c)
	switch {
	case err != nil:
		return nil, hooks.AsError(err, hooks.KindHost)
	case given == nil:
		return nil, nil
	}
	r := *given
	if r.Block {
		if r.Decision != hooks.NoOpinion && r.Decision != hooks.Deny {
			return nil, &hooks.Error{Kind: hooks.KindResult, Message: fmt.Sprintf("answer: Block contradicts Decision %q", r.Decision)}
		}
		r.Decision = hooks.Deny
	}
	r.Input, _ = hooks.CloneValue(r.Input).(map[string]any)
	r.Data, _ = hooks.CloneValue(r.Data).(map[string]any)
	r.Output, r.Summary = hooks.CloneValue(r.Output), nil
	if err := r.Check(c); err != nil {
		return nil, &hooks.Error{Kind: hooks.KindResult, Message: err.Error(), Err: err}
	}
	return &r, nil
}
