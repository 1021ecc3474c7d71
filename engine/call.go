package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
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

// concerns tells whether the hook runs for the event as it is now. One that runs
// once per session judges what it has let through in this very event.
func (f *firing) concerns(e *entry) bool {
	if !f.matches(e) {
		return false
	}
	return !e.options.Once || (f.event.Judging && f.ran(e)) || f.engine.once.first(f.event.SessionID, e)
}

func (f *firing) ran(e *entry) bool {
	return slices.ContainsFunc(f.runs, func(r hooks.Run) bool { return r.Order == e.order })
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
	case e.fault != nil:
		result, failure = f.faulty(e)
	case ctx.Err() != nil:
		failure = gaveUp(ctx, "the caller gave up before it ran")
	case e.fn != nil:
		result, failure = f.callGo(ctx, e)
	default:
		var out luabind.Outcome
		out, failure = f.callLua(ctx, e, started)
		result, run.Instructions, run.Entries = out.Result, out.Instructions, out.Entries
	}
	if failure != nil {
		named := *failure
		if e.fault == nil {
			named.Hook = e.options.Name
		}
		if named.Source == "" {
			named.Source = e.source
		}
		failure = &named
		run.Status, run.Error = hooks.StatusFailed, failure.RunError()
	}
	took := time.Since(started)
	run.DurationUS = took.Microseconds()
	f.account(e.script, took)
	f.runs = append(f.runs, run)
	if f.seen != nil {
		f.seen[e.order-1] = f.version
	}
	return result, failure
}

func gaveUp(ctx context.Context, message string) *hooks.Error {
	return &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: message + ": " + ctx.Err().Error(), Err: ctx.Err()}
}

func panicked(r any) *hooks.Error {
	return &hooks.Error{Kind: hooks.KindHost, Message: fmt.Sprintf("it panicked: %v", r), Traceback: string(debug.Stack())}
}

// matches asks the hook's matcher. One that has to work on a long text does so in the
// time of its script; where that is used up, the hook is called, to fail by its limit.
func (f *firing) matches(e *entry) bool {
	if len(f.spent) > 0 && e.script != nil && f.left(e.script) <= 0 {
		return true
	}
	matches, work := e.options.Match.Match(f.event)
	if work > 1<<16 {
		f.account(e.script, time.Duration(work)*4*time.Nanosecond)
	}
	return matches
}

// left is how much time the hooks of a script have for the rest of the event. They
// share what one of them may take, or a file could hold an event up for as long as it
// has hooks.
func (f *firing) left(s *script) time.Duration {
	return s.environment.Limits.Timeout - f.spent[s]
}

// account notes time that a script took.
func (f *firing) account(s *script, took time.Duration) {
	if s == nil || took < 100*time.Microsecond { // which adds up to nothing
		return
	}
	if f.spent == nil {
		f.spent = map[*script]time.Duration{}
	}
	f.spent[s] += took
}

// callLua runs a Lua hook in a state of its script's pool.
func (f *firing) callLua(ctx context.Context, e *entry, started time.Time) (out luabind.Outcome, failure *hooks.Error) {
	left := f.left(e.script)
	if left <= 0 {
		return luabind.Outcome{}, &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: "the hooks of its file have used up the time that one of them may take (limits.timeout) for this event"}
	}
	pool := f.engine.pool
	state, fresh, err := pool.acquire(ctx, e.script, f.engine.options.limits.Timeout)
	if fresh { // loading is part of what the script may take
		left = max(left-time.Since(started), time.Millisecond)
	}
	if err != nil {
		return luabind.Outcome{}, hooks.AsError(err, hooks.KindHost)
	}
	keep := false
	defer func() {
		if r := recover(); r != nil { // of our own code: Lua's and its libraries' are caught before
			out, failure = luabind.Outcome{}, panicked(r)
		}
		pool.release(e.script, state, keep)
	}()
	out = state.Call(ctx, e.index, f.event, Limits{Timeout: e.options.Timeout}.Within(Limits{Timeout: left}))
	keep = !state.Broken()
	return out, out.Err
}

// callGo runs a Go hook on a copy of the event. One that doesn't return when its
// time is over is left behind and its answer dropped; Close waits for it.
func (f *firing) callGo(caller context.Context, e *entry) (*hooks.Result, *hooks.Error) {
	ctx, cancel := context.WithTimeout(caller, e.options.Timeout)
	defer cancel()
	type answer struct {
		result  *hooks.Result
		failure *hooks.Error
	}
	event := f.event.Clone() // here, as the caller may change its own once Fire has returned
	what := "hook " + e.options.Name
	a, err := luabind.Await(ctx, f.engine.stragglers, what, func(ctx context.Context) (a answer) {
		a.result, a.failure = protect(ctx, e.fn, event)
		return a
	})
	switch {
	case errors.Is(err, luabind.ErrLeftBehind):
		f.engine.options.logger.Warn("a call has outlasted its run", "call", what)
		a.failure = &hooks.Error{Err: ctx.Err()}
	case err != nil:
		a.failure = &hooks.Error{Kind: hooks.KindHost, Message: err.Error(), Err: err}
	}
	if cause := ctx.Err(); cause != nil && a.failure != nil && errors.Is(a.failure, cause) {
		if caller.Err() != nil {
			return nil, gaveUp(caller, "the caller gave up")
		}
		return nil, &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: fmt.Sprintf("it ran longer than its %s", e.options.Timeout), Err: cause}
	}
	return a.result, a.failure
}

// protect calls a Go hook with an event that it may change and checks its answer; a
// panic is an error. An answer that can't be used denies all the same where it would
// have.
func protect(ctx context.Context, fn hooks.Func, event *hooks.Context) (result *hooks.Result, failure *hooks.Error) {
	defer func() {
		if r := recover(); r != nil {
			result, failure = nil, panicked(r)
		}
	}()
	name := event.Event
	given, err := fn(ctx, event)
	switch {
	case err != nil:
		return nil, hooks.AsError(err, hooks.KindHost)
	case given == nil:
		return nil, nil
	}
	r := *given
	bad := &hooks.Error{Kind: hooks.KindResult, Denied: r.Block || r.Decision == hooks.Deny}
	switch {
	case r.Block && r.Decision != hooks.NoOpinion && r.Decision != hooks.Deny:
		bad.Message = fmt.Sprintf("answer: Block contradicts Decision %q", r.Decision)
		return nil, bad
	case r.NewContext != "" && len(r.Contexts) > 0:
		bad.Message = "answer: NewContext and Contexts say the same thing twice; set one of them"
		return nil, bad
	case r.Block:
		r.Decision = hooks.Deny
	}
	r.Input, _ = hooks.CloneValue(r.Input).(map[string]any)
	r.Data, _ = hooks.CloneValue(r.Data).(map[string]any)
	r.Output, r.Summary = hooks.CloneValue(r.Output), nil
	if err := r.Check(&hooks.Context{Event: name}); err != nil {
		bad.Message, bad.Err = err.Error(), err
		return nil, bad
	}
	return &r, nil
}
