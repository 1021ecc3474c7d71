package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

// stopped tells whether an earlier deny keeps the hook from running. A deny ends
// the chain; that of a file which can't be used ends it for its own scope only, so
// that the other scopes' guards still speak. What a tool gave back is there in spite of
// a deny, so the hooks that must not fail there still look at it, unless it is withheld.
func (f *firing) stopped(e *entry) bool {
	switch {
	case f.denied == nil || f.denied.fault != nil && f.denied.scope != e.scope:
		return false
	case f.info.Output != "" && e.options.OnFailure == hooks.Block && e.fault == nil:
		return f.withheld != ""
	}
	return true
}

// concerns tells whether the hook runs for the event as it is now. One that runs
// once per session judges what it has let through in this very event.
func (f *firing) concerns(ctx context.Context, e *entry) bool {
	if !f.matches(e) {
		return false
	}
	return !e.options.Once || (f.again != nil && f.again[e.order-1]) || f.first(ctx, e)
}

// attempt is one call of one hook. result is nil where the hook has no opinion, and
// where it failed.
type attempt struct {
	run     *hooks.Run
	result  *hooks.Result
	failure *hooks.Error
	began   bool          // the hook itself, rather than what comes before it
	used    time.Duration // without what went to others while it wasn't its turn
	lent    bool          // something that may outlast the event has got its context
}

// number gives the next n runs their numbers within the event.
func (f *firing) number(n int) (first int) {
	if f.id == 0 {
		f.id = f.engine.fires.Add(1)
	}
	f.numbered += n
	return f.numbered - n + 1
}

// run runs one hook and records the run.
func (f *firing) run(ctx context.Context, e *entry) attempt {
	number := f.number(1)
	a := f.attempt(ctx, e, f.record(e, hooks.Run{}), number)
	f.lent = f.lent || a.lent
	f.time.charge(e, a.used)
	return a
}

// record notes a run, and gives its place in the summary.
func (f *firing) record(e *entry, run hooks.Run) *hooks.Run {
	f.outcomes()
	if len(f.runs) == cap(f.runs) { // some of the others will run, too
		f.runs = slices.Grow(f.runs, min(max(len(f.runs), len(f.entries)), 32))
	}
	f.runs = append(f.runs, run)
	if f.seen != nil {
		f.seen[e.order-1] = f.version
	}
	return &f.runs[len(f.runs)-1]
}

// begin fills in what is known of a run before it.
func (f *firing) begin(run *hooks.Run, e *entry, number int) {
	run.ID.Fire, run.ID.Number = f.id, number
	run.Hook, run.Event, run.Handler, run.Mode = e.options.Name, f.event.Event, e.handler, e.mode
	run.Scope, run.Source, run.Order, run.Judging = e.scope, e.source, e.order, f.event.Judging
	run.Status = hooks.StatusRunning
}

// attempt runs one hook and fills in run. It may be called from several goroutines at
// once, and leaves what they share alone but for the time that is charged to a script.
func (f *firing) attempt(ctx context.Context, e *entry, run *hooks.Run, number int) (a attempt) {
	started := time.Now()
	f.begin(run, e, number)
	a.run = run
	f.observeStart(run)
	left := f.time.ofEvent(e)
	run.Status = hooks.StatusCompleted
	switch skip := f.skips(e); {
	case skip != nil:
		a.run.Status, a.run.Entries = hooks.StatusSkipped, []hooks.Entry{{Kind: hooks.EntryWarning, Text: skip.Message}}
		a.run.Error = trustError(skip)
	case e.fault != nil:
		a.result, a.failure = f.faulty(e)
	case ctx.Err() != nil:
		a.failure = gaveUp(ctx, "the caller gave up before it ran")
	case f.depth > maxDepth:
		a.failure = &hooks.Error{Kind: hooks.KindHost, Message: fmt.Sprintf("hooks that set off hooks, %d deep; %d may be: something here fires an event for each event", f.depth, maxDepth)}
	case left <= 0 && e.mode != hooks.ModeAsync:
		a.failure = &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: fmt.Sprintf("the hooks of this event have used up their %s (limits.event)", e.within)}
	case e.fn != nil:
		a.lent = true
		a.result, a.failure, a.began = f.callGo(ctx, e, left)
	case e.command != nil:
		a.lent = true
		f.callCommand(ctx, e, left, &a)
	default:
		var out luabind.Outcome
		out, a.failure = f.callLua(ctx, e, left)
		a.result, a.run.Instructions, a.run.Entries = out.Result, out.Instructions, out.Entries
		a.lent, a.began, a.used = out.Escaped, out.Instructions > 0, out.Took
	}
	if a.failure != nil {
		named := *a.failure
		if e.fault == nil {
			named.Hook = e.options.Name
		}
		if named.Source == "" {
			named.Source = e.source
		}
		a.failure = &named
		a.run.Status, a.run.Error = hooks.StatusFailed, named.RunError()
	}
	took := time.Since(started)
	a.run.DurationUS = took.Microseconds()
	if e.script == nil {
		a.used = took
	}
	f.time.chargeFile(e.script, a.used)
	return a
}

func gaveUp(ctx context.Context, message string) *hooks.Error {
	return &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: message + ": " + ctx.Err().Error(), Err: ctx.Err()}
}

func panicked(r any) *hooks.Error {
	return &hooks.Error{Kind: hooks.KindHost, Message: fmt.Sprintf("it panicked: %v", r), Traceback: string(debug.Stack())}
}

// matches asks the hook's matcher. One that has to work on a long text does so in the
// time of its script and of the event; where that is used up, the hook is called, to
// fail by its limit.
func (f *firing) matches(e *entry) bool {
	if f.time.ofEvent(e) <= 0 || e.script != nil && f.time.ofFile(e.script) <= 0 {
		return true
	}
	matches, work := e.options.Match.MatchAs(f.info, f.event)
	if work > 1<<16 {
		took := time.Duration(work) * 4 * time.Nanosecond
		f.time.charge(e, took)
		f.time.chargeFile(e.script, took)
	}
	return matches
}

// patience is how many times as long as a run may take no state may come back before those
// who wait give up: so long nothing happens only where all wait for each other.
const patience = 10

// callLua runs a Lua hook in a state of its script's pool.
func (f *firing) callLua(ctx context.Context, e *entry, event time.Duration) (out luabind.Outcome, failure *hooks.Error) {
	left := f.time.ofFile(e.script)
	if left <= 0 {
		return luabind.Outcome{}, &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: "the hooks of its file have used up the time that one of them may take (limits.timeout) for this event"}
	}
	left = min(left, event)
	lent := len(e.script.Environment.Objects) > 0
	if lent { // their methods may fire events
		ctx = f.within(ctx, e)
	}
	states := f.engine.pool
	state, began, fresh, err := states.Acquire(ctx, e.script, time.Now(), patience*f.engine.options.limits.Timeout)
	if err != nil {
		return luabind.Outcome{Escaped: true, Took: fresh}, hooks.AsError(err, hooks.KindHost)
	}
	if fresh > 0 { // loading is part of what the script may take
		left = max(left-fresh, time.Millisecond)
	}
	keep := false
	defer func() {
		if r := recover(); r != nil { // of our own code: Lua's and its libraries' are caught before
			out, failure = luabind.Outcome{Escaped: true}, panicked(r)
		}
		states.Release(state, keep)
	}()
	if f.again != nil && f.again[e.order-1] {
		ctx = &againContext{ctx, lib.Judging{Effects: f.context.done()}}
	}
	ctx, asked := f.asking(ctx, e)
	out = state.CallAt(ctx, e.index, f.event, Limits{Timeout: e.options.Timeout}.Within(Limits{Timeout: left}), began)
	keep = !state.Broken()
	asked.note(&out)
	out.Took += fresh
	out.Escaped = out.Escaped || lent || fresh > 0 || asked != nil
	return out, out.Err
}

// callGo runs a Go hook on a copy of the event. One that doesn't return when its
// time is over is left behind and its answer dropped; Close waits for it.
func (f *firing) callGo(caller context.Context, e *entry, left time.Duration) (result *hooks.Result, failure *hooks.Error, began bool) {
	timeout := min(e.options.Timeout, left)
	ctx, cancel := context.WithTimeout(f.within(caller, e), timeout)
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
	began = err == nil || errors.Is(err, luabind.ErrLeftBehind) || errors.Is(err, luabind.ErrGoexit)
	if cause := ctx.Err(); cause != nil && a.failure != nil && errors.Is(a.failure, cause) {
		if caller.Err() != nil {
			return nil, gaveUp(caller, "the caller gave up"), began
		}
		return nil, f.late(e, timeout, cause), began
	}
	return a.result, a.failure, began
}

// late is the failure of a hook whose time is over: its own, or what was left of the
// event's.
func (f *firing) late(e *entry, timeout time.Duration, cause error) *hooks.Error {
	message := fmt.Sprintf("it ran longer than its %s", e.options.Timeout)
	if timeout < e.options.Timeout {
		message = fmt.Sprintf("it was still running when the hooks of this event had used up their %s (limits.event)", e.within)
	}
	return &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: message, Err: cause}
}
