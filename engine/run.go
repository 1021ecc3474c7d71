package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

// stopped reports whether an earlier deny keeps the hook from running. A deny ends
// the chain; that of a file which can't be used ends it for its own scope only, so
// that the other scopes' guards still speak. What a tool gave back is there in spite of
// a deny, so the hooks that must not fail there still look at it, unless it is withheld.
func (f *firing) stopped(e *hook) bool {
	switch {
	case f.denied == nil || f.denied.loadError != nil && f.denied.scope != e.scope:
		return false
	case f.info.Output != "" && e.options.OnFailure == hooks.Block && e.loadError == nil:
		return f.withheld != ""
	}
	return true
}

// wants reports whether the hook runs for the event as it is now. One that runs
// once per session judges what it has let through in this very event.
func (f *firing) wants(ctx context.Context, e *hook) bool {
	if !f.matches(e) || f.engine.options.rehearsal.skips(e) {
		return false
	}
	return !e.options.Once || (f.ranBefore != nil && f.ranBefore[e.order-1]) || f.firstInSession(ctx, e)
}

// matches asks the hook's matcher, unless it is the one that was asked last, about the same
// event (see place). One that has to work on a long text does so in the time of its script and
// of the event; where that is used up, the hook is called, to fail by its limit.
func (f *firing) matches(e *hook) bool {
	if f.account.long.Load() && (f.account.ofEvent(e) <= 0 || e.script != nil && f.account.ofFile(e.script) <= 0 || e.untrusted != "" && f.account.ofUntrusted(e.script) <= 0) {
		return true
	}
	m := e.options.Match
	if m == nil || m == f.asked.matcher && f.event == f.asked.event {
		return m == nil || f.asked.matches
	}
	matches, work := m.MatchAs(f.info, f.event)
	if work <= 1<<16 {
		f.asked = askedMatcher{m, f.event, matches}
	} else { // each hook pays for itself
		f.look()
		took := time.Duration(work) * 4 * time.Nanosecond
		f.account.charge(e, took)
		f.account.chargeFile(e, took)
	}
	return matches
}

// askedMatcher is the answer of the matcher that was asked last.
type askedMatcher struct {
	matcher *hooks.Matcher
	event   *hooks.Context
	matches bool
}

// hookCall is one call of one hook. result is nil where the hook has no opinion, and
// where it failed.
type hookCall struct {
	run     *hookRun
	result  *hooks.Result
	failure *hooks.Error
	ended   time.Time     // when it was over; zero: not looked at yet
	began   bool          // the hook itself, rather than what comes before it
	used    time.Duration // without what went to others while it wasn't its turn
	escaped bool          // something that may outlast the event has got its context
}

// runSync runs one hook and records the run.
func (f *firing) runSync(ctx context.Context, e *hook) hookCall {
	number := f.nextNumbers(1)
	a := hookCall{run: f.addRun(e)}
	f.callHook(ctx, e, &a, number, f.looked)
	f.escaped = f.escaped || a.escaped
	f.account.charge(e, a.used)
	f.ended, f.looked = a.ended, a.ended
	return a
}

// nextNumbers gives the next n runs their numbers within the event.
func (f *firing) nextNumbers(n int) (first int) {
	if f.id == 0 {
		f.id = f.engine.active.nextNumber(f.lane(f.engine))
	}
	f.numbered += n
	return f.numbered - n + 1
}

// addRun notes that a hook has its turn, and gives the run's place in the summary.
func (f *firing) addRun(e *hook) *hookRun {
	f.outcomes()
	if f.seen != nil {
		f.seen[e.order-1] = f.version
	}
	return f.outcome.add(max(len(f.hooks)-f.ran, 1))
}

// callHook runs one hook, from now on, and fills in its run. It may be called from several goroutines
// at once, and leaves what they share alone but for the time that is charged to a script.
func (f *firing) callHook(ctx context.Context, e *hook, a *hookCall, number int, started time.Time) {
	f.startRun(a.run, e, number)
	f.observeStart(a.run)
	left := f.account.ofEvent(e)
	a.run.status = statusCompleted
	switch skip := f.skipReason(e); {
	case skip != nil:
		a.run.warn(skip.Message)
		a.run.end(statusSkipped, trustError(skip))
	case e.loadError != nil:
		a.result, a.failure = f.runLoadError(e)
	case ctx.Err() != nil:
		a.failure = gaveUp(ctx, "the caller gave up before it ran")
	case f.depth > maxDepth:
		a.failure = &hooks.Error{Kind: hooks.KindHost, Message: fmt.Sprintf("hooks that set off hooks, %d deep; %d may be: something here fires an event for each event", f.depth, maxDepth)}
	case left <= 0 && e.mode != hooks.ModeAsync:
		a.failure = &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: fmt.Sprintf("the hooks of this event have used up their %s (limits.event)", e.within)}
	case e.fn != nil:
		a.escaped = true
		a.result, a.failure, a.began = f.callGo(ctx, e, left)
	case e.command != nil:
		a.escaped = true
		f.callCommand(ctx, e, left, a)
	default:
		f.callLua(ctx, e, left, started, a)
	}
	if a.failure != nil {
		failure := *a.failure
		if e.loadError == nil {
			failure.Hook = e.options.Name
		}
		if failure.Source == "" {
			failure.Source = e.source
		}
		a.failure = &failure
		a.run.end(statusFailed, failure.RunError())
	}
	if a.ended.IsZero() {
		a.ended = f.now()
	}
	took := a.ended.Sub(started)
	a.run.took = took
	if e.script == nil {
		a.used = took
	}
	f.account.chargeFile(e, a.used)
}

// startRun fills in what is known of a run before it.
func (f *firing) startRun(run *hookRun, e *hook, number int) {
	run.hook, run.number, run.judging, run.status = e, int32(number), f.event.Judging, statusRunning
}

// skipReason tells why the hook is not to run for this event, or nil. It is skipped where
// the event comes from inside of it, which would go on for ever; and a command or
// async hook where this process is the child of a hook.
func (f *firing) skipReason(e *hook) *hooks.Error {
	for above := f.frame; above != nil; above = above.above {
		if above.engine == f.engine && above.key == e.key {
			return &hooks.Error{Kind: hooks.KindHost, Message: "skipped: this event comes from inside this hook's own run"}
		}
	}
	if f.engine.depth > 0 && (e.command != nil || e.mode == hooks.ModeAsync) {
		return &hooks.Error{Kind: hooks.KindHost, Message: fmt.Sprintf("skipped: this process was started by a hook (%s=%d), where command and async hooks don't run", depthVariable, f.engine.depth)}
	}
	if e.skip != nil {
		return e.skip
	}
	return f.replaySkip(e)
}

// trustError is the error that the run of a hook shows which was skipped for lack of
// trust; to be skipped for another reason is no error.
func trustError(skip *hooks.Error) *hooks.RunError {
	if skip.Kind != hooks.KindTrust {
		return nil
	}
	return skip.RunError()
}

// runLoadError is the run of a file that can't be used: it fails, unless the call is to
// fix that very file or another that can't be used, which a person may allow.
func (f *firing) runLoadError(e *hook) (*hooks.Result, *hooks.Error) {
	call := f.event.ToolCall
	if f.info.Output != "" && call != nil && call.Outcome == hooks.OutcomeDenied {
		return nil, nil // it didn't run; what stands there is why
	}
	if call == nil || (call.Kind != hooks.KindWrite && call.Kind != hooks.KindEdit) {
		return nil, e.loadError.err
	}
	var fixed *loadError
	for _, p := range call.Paths {
		if !filepath.IsAbs(p) {
			p = filepath.Join(f.event.CWD, p)
		}
		if fixed = loadErrorOf(f.plan.loadErrors, p); fixed == nil && f.plan.projects != nil { // it may be a project's
			if all, err := f.plan.projects.get(f.context.Context, &f.engine.active); err == nil {
				fixed = loadErrorOf(all.loadErrors, p)
			}
		}
		if fixed == nil {
			return nil, e.loadError.err
		}
	}
	if fixed == nil {
		return nil, e.loadError.err
	}
	if f.info.Output != "" { // a person has allowed it
		return nil, nil
	}
	return &hooks.Result{Decision: hooks.Ask, Reason: fmt.Sprintf("this edits a hook file that can't be loaded as it is: %s", fixed.err.Brief())}, nil
}

// loadErrorOf is why the file of that absolute path can't be used, or nil.
func loadErrorOf(faults []*loadError, path string) *loadError {
	if !filepath.IsAbs(path) {
		return nil
	}
	path = filepath.Clean(path)
	info, _ := os.Stat(path)
	for _, f := range faults {
		for _, own := range f.paths {
			if own == path {
				return f
			}
			if other, err := os.Stat(own); err == nil && info != nil && os.SameFile(info, other) { // by way of a link
				return f
			}
		}
	}
	return nil
}

// patience is how many times as long as a run may take no state may come back before those
// who wait give up: so long nothing happens only where all wait for each other.
const patience = 10

// callLua runs a Lua hook in a state of its script's pool. left is what is left of the
// event's time.
func (f *firing) callLua(ctx context.Context, e *hook, left time.Duration, now time.Time, a *hookCall) {
	ofFile := f.account.ofFile(e.script)
	if ofFile <= 0 {
		a.failure = &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: "the hooks of its file have used up the time that one of them may take (limits.timeout) for this event"}
		return
	}
	left = min(left, ofFile)
	if e.untrusted != "" {
		if left = min(left, f.account.ofUntrusted(e.script)); left <= 0 {
			a.failure = &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: fmt.Sprintf("the scripts of projects that aren't trusted have used up the %s that they have together for an event", untrustedRuns*e.script.Environment.Limits.Timeout)}
			return
		}
	}
	objects := len(e.script.Environment.Objects) > 0
	if objects { // their methods may fire events
		ctx = f.hookContext(ctx, e)
	}
	states := f.engine.pool
	state, began, fresh, err := states.Acquire(ctx, e.script, f.latest.Load(), now, patience*f.engine.options.limits.Timeout)
	if err != nil {
		a.escaped, a.used, a.failure = true, fresh, hooks.AsError(err, hooks.KindHost)
		return
	}
	f.latest.Store(state)
	if fresh > 0 { // loading is part of what the script may take
		left = max(left-fresh, time.Millisecond)
	}
	machine, keep := f.machines.of(e), false
	defer func() {
		if r := recover(); r != nil { // of our own code: Lua's and its libraries' are caught before
			a.escaped, a.failure = true, panicked(r)
		}
		if !keep {
			f.machines.drop(machine)
		}
		states.Release(state, keep)
	}()
	if f.ranBefore != nil && f.ranBefore[e.order-1] {
		ctx = &againContext{ctx, lib.Judging{Effects: f.context.done()}}
	}
	ctx, asked := f.overrideContext(ctx, e)
	room := &f.answer
	if e.mode == hooks.ModeSync {
		*room = hooks.Result{}
	} else {
		room = &hooks.Result{}
	}
	out := state.CallOn(machine, ctx, e.index, f.event, Limits{Timeout: e.options.Timeout}.Within(Limits{Timeout: left}), began, room)
	keep = !state.Broken()
	asked.note(&out)
	a.result, a.failure, a.began = out.Result, out.Err, out.Instructions > 0
	a.run.instructions = out.Instructions
	a.run.noteAll(out.Entries)
	a.used, a.escaped = out.Took+fresh, out.Escaped || objects || fresh > 0
	if out.Result == nil && out.Err == nil { // else what came of it may have taken a while, too
		a.ended = out.Ended
	}
}

// callGo runs a Go hook on a copy of the event. One that doesn't return when its
// time is over is left behind and its answer dropped; Close waits for it.
func (f *firing) callGo(caller context.Context, e *hook, left time.Duration) (result *hooks.Result, failure *hooks.Error, began bool) {
	timeout := min(e.options.Timeout, left)
	ctx, cancel := context.WithTimeout(f.hookContext(caller, e), timeout)
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
	bad := &hooks.Error{Kind: hooks.KindResult, Denied: r.Block || r.Decision == hooks.Deny, SystemMessage: cut(r.SystemMessage)}
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
	for _, of := range []struct {
		name  string
		value any
		put   func(plain any)
	}{
		{"Input", r.Input, func(v any) { r.Input, _ = v.(map[string]any) }},
		{"Data", r.Data, func(v any) { r.Data, _ = v.(map[string]any) }},
		{"Output", r.Output, func(v any) { r.Output = v }},
	} {
		plain, err := hooks.PlainValue(of.value)
		if err != nil {
			bad.Message, bad.Err = "answer: "+of.name+": "+strings.TrimPrefix(err.Error(), "event: "), err
			return nil, bad
		}
		of.put(hooks.CloneValue(plain))
	}
	r.Summarizer = nil
	if err := r.Check(&hooks.Context{Event: name}); err != nil {
		bad.Message, bad.Err = err.Error(), err
		return nil, bad
	}
	return &r, nil
}

// late is the failure of a hook whose time is over: its own, or what was left of the
// event's.
func (f *firing) late(e *hook, timeout time.Duration, cause error) *hooks.Error {
	message := fmt.Sprintf("it ran longer than its %s", e.options.Timeout)
	if timeout < e.options.Timeout {
		message = fmt.Sprintf("it was still running when the hooks of this event had used up their %s (limits.event)", e.within)
	}
	return &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: message, Err: cause}
}

// commandTimeout is how long a command hook may run that says nothing itself.
const commandTimeout = 30 * time.Second

// callCommand runs a command hook, for its own time or what is left of the event's.
func (f *firing) callCommand(caller context.Context, e *hook, left time.Duration, a *hookCall) {
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
		Event: &event, Hook: e.options.Name, Env: e.env, Dir: e.dir, ProjectDir: cmp.Or(e.root, f.engine.options.root),
		Depth: f.depth + 1, InjectOutput: e.inject,
	})
	a.result, a.failure, a.run.says().command = out.Result, out.Err, out.Run
	a.run.noteAll(out.Entries)
	a.began = out.Run != nil
	if out.Log != "" {
		f.engine.options.logger.Info(out.Log, "hook", e.options.Name, "source", e.source)
	}
	if a.failure != nil && errors.Is(a.failure, context.DeadlineExceeded) && caller.Err() == nil && timeout < e.options.Timeout {
		a.failure.Message = f.late(e, timeout, nil).Message
	}
}

// maxParallel is how many hooks of one event run at once.
const maxParallel = 16

// parallelGroupLen gives how many of the entries, from the first one on, stand side by side:
// parallel hooks of one scope that follow each other. Those of a lower scope wait: there
// may be so many of them that the others would get no turn in the event's time.
func parallelGroupLen(entries []*hook) int {
	n := 0
	for n < len(entries) && entries[n].mode == hooks.ModeParallel && entries[n].scope == entries[0].scope {
		n++
	}
	return max(n, 1)
}

// runParallel runs parallel hooks at once, each on the event as it is now, and folds
// their answers in the plan's order. Once one denies, those after it don't count.
func (f *firing) runParallel(ctx context.Context, group []*hook) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f.escaped = true
	var longest, charged time.Duration
	defer func() {
		f.account.charge(group[0], max(longest-charged, 0))
		f.ended = f.look()
	}()
	first := f.nextNumbers(len(group))
	attempts := make([]hookCall, len(group))
	runs := make([]hookRun, len(group))
	ended := make([]bool, len(group)) // by then
	done := make([]chan struct{}, len(group))
	places := make(chan struct{}, maxParallel)
	share := func(used time.Duration) time.Duration { return used / time.Duration(min(len(group), maxParallel)) }
	for i, e := range group {
		done[i] = make(chan struct{})
		go func() {
			places <- struct{}{}
			attempts[i].run = &runs[i]
			f.callHook(ctx, e, &attempts[i], first+i, f.now())
			ended[i] = ctx.Err() != nil
			f.account.charge(e, share(attempts[i].used))
			<-places
			close(done[i])
		}()
	}
	for i, e := range group {
		<-done[i]
		a := &attempts[i]
		longest, charged = max(longest, a.used), charged+share(a.used)
		a.run = f.addRun(e)
		*a.run = runs[i]
		if f.stopped(e) {
			cancel()
			f.discard(e, a, ended[i])
		}
		f.merge(ctx, e, a)
		if f.denied != nil {
			cancel()
		}
	}
}

// discard has a run count for nothing that went on, or was to go on, while a hook before it
// denied; ended tells that its context was over when it was. What it had to say is kept in it.
func (f *firing) discard(e *hook, a *hookCall, ended bool) {
	run, why := a.run, "a parallel hook before it has denied"
	switch {
	case run.status == statusSkipped: // for a reason of its own
	case !a.began:
		run.status, run.said = statusSkipped, nil
		run.warn("skipped: " + why)
	case a.failure != nil && ended:
		run.end(statusUncounted, nil)
		run.warn("ended: " + why)
	case a.failure != nil:
		run.status = statusUncounted
		run.warn("its failure doesn't count: " + why)
		keepMessage(run, a.failure.SystemMessage)
		f.noteFailure(withHookName(a.failure, e))
	default:
		run.status = statusUncounted
		run.warn("its answer doesn't count: " + why)
		if r := a.result; r != nil && !run.judging && f.countText(e, r, new(hookRun)) == nil {
			run.answered(&hooks.Result{Decision: r.Decision, Input: r.Input, Output: r.Output})
			run.noteAll(entriesOf(r))
			keepMessage(run, r.SystemMessage)
		}
	}
	a.result, a.failure = nil, nil
}
