// Package engine runs hooks: it finds and loads scripts, calls those that an event
// concerns in a fixed order, folds their answers into one and applies the failure
// policy. It is the only package an embedder must import besides hooks.
//
// Read this file from top to bottom to follow one event.
package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine/internal/pool"
	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/misuse"
	"github.com/luahook/luahook/internal/redact"
	"github.com/luahook/luahook/luabind"
)

// ErrClosed is the error of using an engine after Close.
var ErrClosed = errors.New("luahook: the engine is closed")

// Errors of using the engine in a way that can't be meant; no event has been judged.
var (
	ErrNotMade   = misuse.NotMade("engine.New")
	ErrNoContext = misuse.ErrNoContext
)

var errNoEvent = &hooks.InputError{Offset: -1, Message: "there is none (nil)"}

// Engine holds hooks and fires events at them. Make one with [New]; of another, such as a nil
// one, every method that can gives [ErrNotMade]. All methods may be called from several
// goroutines at once. A nil context is [ErrNoContext].
type Engine struct {
	active   activity
	counters counters

	options   options
	pool      *pool.Pool
	token     func() string                      // no other engine has it; made when it is needed
	depth     int                                // hooks above this process
	watching  atomic.Pointer[context.CancelFunc] // of the Watch under way, or nil
	plan      atomic.Pointer[plan]
	logFailed atomic.Bool             // the log couldn't be written to, which is told once
	redactor  func() *redact.Redactor // which knows the environment; made when it is asked for

	root string        // the project's, with slashes; "": there is none
	home func() string // the user's home folder, "" where nobody knows it

	homeOf func(user string) string // of whoever is named; see [hooks.Place]

	stores     *stores
	stateNames func() []string
	stragglers *luabind.Stragglers
	background *background
	once       claims
	lasts      lastEvents

	reloading sync.Mutex        // one Reload reads at a time, so that the latest reading wins
	vanished  []source.Vanished // by folder

	mu       sync.Mutex // held to change what follows, and to swap the plan
	current  *loaded
	notices  notices // what is told beside that
	goHooks  []*hook
	counter  uint64                   // the last generation
	policies [keptPolicies]pastPolicy // what the latest generations are called, by the generation
	expiry   *time.Timer              // reads again once the first of what has vanished goes; or nil
}

// New loads the hooks that the options name. Without options that is the built-in
// safety-guard alone. A script or hooks.yaml that can't be used is no error here:
// as a guard that is not there must not look like one that agreed, it blocks
// pre_tool_call and permission_request until it is fixed; [Engine.LoadErrors] lists
// such files. The error is for options that make no sense.
//
// The files of a project ([WithProject]) are not touched yet: the first event for which
// the hooks of all higher scopes have decided, and none has denied, has them loaded, and
// goes on with its hooks. What loading them may take is bounded ([WithLoading]).
func New(opts ...Option) (*Engine, error) {
	o := defaultOptions()
	for i, option := range opts {
		if option == nil {
			return nil, fmt.Errorf("luahook: New: option %d is nil", i+1)
		}
		if err := option(&o); err != nil {
			return nil, fmt.Errorf("luahook: %w", err)
		}
	}
	if err := o.checkEdited(); err != nil {
		return nil, fmt.Errorf("luahook: %w", err)
	}
	e := newEngine(o)
	e.swap(e.load(context.Background(), nil, asked))
	return e, nil
}

// maxStragglers is how many calls may have outlasted their run before nothing more is
// called that may do so, too.
const maxStragglers = 16

// newEngine is an engine without hooks.
func newEngine(o options) *Engine {
	o.rehearse()
	o.relateFolders()
	e := &Engine{
		options: o, token: sync.OnceValue(rand.Text), depth: depthOfProcess(), root: filepath.ToSlash(o.root),
		pool: pool.New(o.maxStates), stores: newStores(), stragglers: luabind.NewStragglers(maxStragglers), background: newBackground(),
		redactor: sync.OnceValue(func() *redact.Redactor { return redact.New(os.Environ()) }),
	}
	e.active.drained = make(chan struct{}, 1)
	e.home = sync.OnceValue(func() string { return filepath.ToSlash(e.host().Home) })
	e.homeOf = e.homeOfUser
	e.stateNames = sync.OnceValue(e.nameStateSpaces)
	for range o.folders {
		e.vanished = append(e.vanished, source.Vanished{})
	}
	return e
}

// Fire tells the hooks of c.Event about it and returns what they decide together.
// c is not changed. The result is never nil and may be shared: don't change it.
//
// The error is for events that can't be judged: an [*hooks.InputError] or
// [*hooks.UnknownEventError], [ErrClosed], [ErrNotMade], [ErrNoContext], or ctx's own where it
// was done before the hooks were. The result of an event that can't be judged denies, where the event
// can be blocked and a deny would not only keep an agent from stopping. Hooks that
// fail are no error: their on_failure decides, and the summary tells; that goes for
// hooks that ctx kept from running, too. An event that no hook is registered for is
// not looked at.
func (e *Engine) Fire(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
	if err := e.checkUse(ctx); err != nil {
		return Unjudged(nameOf(c), err), err
	}
	p := e.currentPlan()
	if c == nil {
		return e.refuse(ctx, p, nil, errNoEvent)
	}
	// plan: what is registered for this event, in order.
	at := p.at(c.Event)
	if e.concernsNobody(p, at) {
		e.active.rest.count(hooks.NoOpinion)
		return p.noOpinion(at), nil
	}
	started := time.Now()
	f := firings.Get().(*firing)
	lane := f.lane(e)
	if !e.active.begin(lane) {
		firings.Put(f)
		return e.refuse(ctx, p, c, ErrClosed)
	}
	defer e.active.end(lane)
	return e.fire(ctx, f, c, p, at, started)
}

// refuse is Fire for an event that no hook is told of. c is nil where there is none.
func (e *Engine) refuse(ctx context.Context, p *plan, c *hooks.Context, err error) (*hooks.Result, error) {
	started := time.Now()
	ctx, told := e.observeFireStart(ctx, c)
	r := e.record(ctx, p, c, started, Unjudged(nameOf(c), err))
	e.observeFireEnd(ctx, told, r, err)
	return r, err
}

// nameOf is the name of an event; "" where there is none.
func nameOf(c *hooks.Context) hooks.Event {
	if c == nil {
		return ""
	}
	return c.Event
}

// checkUse says why an engine can't be used, or not with that context.
func (e *Engine) checkUse(ctx context.Context) error {
	switch {
	case !e.made():
		return ErrNotMade
	case ctx == nil:
		return ErrNoContext
	}
	return nil
}

// made reports whether New has made the engine.
func (e *Engine) made() bool { return e != nil && e.plan.Load() != nil }

// concernsNobody reports whether nothing is to be done for an event but to count it. Nothing
// is under way meanwhile that Close would have to wait for.
func (e *Engine) concernsNobody(p *plan, at *eventPlan) bool {
	return at != nil && len(at.hooks) == 0 && !p.countsLoops && p.projects == nil && e.options.onError == nil && len(e.options.fireObservers) == 0 && !e.recordsEvents() && !e.active.closed.Load()
}

// fire is Fire for an engine that stays open meanwhile, with a firing that is used up. at is nil
// where nobody knows the event.
func (e *Engine) fire(ctx context.Context, f *firing, c *hooks.Context, p *plan, at *eventPlan, started time.Time) (*hooks.Result, error) {
	defer f.recycle()
	f.engine, f.plan, f.started, f.looked, f.given, f.event = e, p, started, started, c, c
	ctx, told := e.observeFireStart(ctx, c)
	if len(told) > 0 {
		f.look()
	}
	r, err := f.decide(ctx, c, at)
	if e.options.rehearsal != nil {
		e.pool.Empty()
	}
	e.noteDecision(ctx, r, f.lane(e))
	r = e.record(ctx, p, f.given, started, r)
	e.observeFireEnd(ctx, told, r, err)
	return r, err
}

// decide gives what the hooks decide together, the summary of their runs included.
func (f *firing) decide(ctx context.Context, c *hooks.Context, at *eventPlan) (*hooks.Result, error) {
	if at == nil {
		_, err := hooks.ParseEvent(string(c.Event))
		return refusal(c.Event, nil, err), err
	}
	f.info, f.hooks = at.info, at.hooks
	if f.engine.callOnError(ctx, c, f.info) {
		f.look()
	}
	if len(f.hooks) == 0 && f.plan.projects == nil {
		f.resetLoopCounts(ctx)
		if f.engine.recordsEvents() {
			_ = f.complete(c) // what can't be judged is recorded as it came
		}
		return f.plan.noOpinion(at), nil
	}
	if err := f.complete(c); err != nil {
		return refusal(f.info.Name, f.info, err), err
	}
	inside := f.enter(ctx)
	// match, call, merge: hook by hook; see pass.
	every, from := func(int, *hook) bool { return true }, 0
	if f.plan.projects != nil {
		from = aboveProjects(f.hooks)
		f.pass(inside, 0, from, every)
		// load: what a project brings, once nobody above it has denied.
		f.addProject(inside)
	}
	f.pass(inside, from, len(f.hooks), every)
	// judge again: whatever was rewritten after a hook has seen it.
	f.judge(inside)
	// report: the summary of all runs.
	return f.report()
}

// complete fills in what follows from what the event says, such as the kind of its tool.
func (f *firing) complete(c *hooks.Context) error {
	f.completed.ToolCall, f.call.Paths = &f.call, f.paths[:0]
	if err := c.CompleteInto(&f.completed, f.info); err != nil {
		return err
	}
	f.given, f.event = &f.completed, &f.completed
	return nil
}

// enter finds out where the event comes from, and returns the context for what is called
// for it.
func (f *firing) enter(ctx context.Context) context.Context {
	f.setPlace()
	f.context.Context = ctx
	f.context.rewrite = len(f.info.Modify) > 0 || f.info.Output != ""
	f.frame, f.depth = frameOf(ctx), f.engine.depth
	if f.frame != nil {
		f.depth += f.frame.depth
	}
	f.resetLoopCounts(ctx)
	return &f.context
}

// pass takes the event through those of the hooks from one to before another that are
// wanted, in the plan's order. Parallel hooks that stand side by side run together, every
// other one by itself.
func (f *firing) pass(ctx context.Context, from, to int, wanted func(i int, e *hook) bool) {
	for at := from; at < to; {
		group := f.hooks[at : at+1]
		if group[0].mode == hooks.ModeParallel {
			group = f.hooks[at : at+parallelGroupLen(f.hooks[at:to])]
		}
		var parallel []*hook
		for i, e := range group {
			// match: in Go, before Lua is entered.
			switch {
			case !wanted(at+i, e):
			case f.stopped(e) || !f.wants(ctx, e):
				f.observeSkip(e)
			case e.mode == hooks.ModeParallel:
				parallel = append(parallel, e)
			case e.mode == hooks.ModeAsync:
				f.observe(e)
			default:
				// call: with a budget, in a state of the script's pool.
				a := f.runSync(ctx, e)
				// merge: the answer, or what the failure policy makes of there being none.
				f.merge(ctx, e, &a)
			}
		}
		if len(parallel) > 0 {
			f.runParallel(ctx, parallel)
		}
		at += len(group)
	}
}

// judge is the one round over the final input: every hook that matches it, and has
// neither seen it nor made it, runs again. Only its deny, its ask and its failure count, and
// what it does beside answering was done by its first run; see lib.Effects.
func (f *firing) judge(ctx context.Context) {
	if f.version == 0 || f.denied != nil {
		return
	}
	unseen := func(i int, e *hook) bool { return f.seen[i] != f.version && e.mode != hooks.ModeAsync }
	if !f.concerns(unseen) {
		return
	}
	final := *f.event
	final.Judging = true
	f.event = &final
	f.ranBefore = make([]bool, len(f.hooks))
	for run := range f.runs {
		if run.status != statusSkipped {
			f.ranBefore[run.hook.order-1] = true
		}
	}
	f.pass(ctx, 0, len(f.hooks), unseen)
}

// concerns reports whether the event, as it is now, matches one of the hooks that are wanted.
func (f *firing) concerns(wanted func(i int, e *hook) bool) bool {
	for i, e := range f.hooks {
		if wanted(i, e) && f.matches(e) {
			return true
		}
	}
	return false
}

// report gives what the hooks decide together; see [outcome.Summarize] for what they did.
func (f *firing) report() (*hooks.Result, error) {
	f.settleOnce()
	f.fireOnError(false)
	if f.outcome == nil || f.ran == 0 {
		return f.plan.noOpinion(f.plan.at(f.event.Event)), nil
	}
	r := &f.result
	if r.Block && r.Output != nil && f.event.Event == hooks.PreToolCall {
		r.Output, r.Modified = nil, r.Input != nil // a deny answers in place of a respond
	}
	if f.withheld != "" {
		r.Output, r.Modified = f.withheld, true
	}
	for _, note := range f.context.store.Load().told() {
		f.warn("%s", note)
	}
	if len(f.plan.warnings) > 0 {
		r.Warnings = slices.Concat(f.plan.warnings, r.Warnings)
	}
	o := f.outcome
	o.event, o.generation, o.fire, o.started, o.took = f.info, f.plan.generation, f.id, f.started, f.ended.Sub(f.started)
	r.Summarizer = o
	return r, f.context.Err()
}

// Unjudged is the result of an event that could not be judged, and why, as [Engine.Fire]
// gives it: for a program that fails before it can fire the event. Of one whose name isn't
// known ("") it denies.
func Unjudged(event hooks.Event, err error) *hooks.Result {
	if name, unknown := hooks.ParseEvent(string(event)); unknown == nil {
		event = name
	}
	return refusal(event, hooks.Lookup(event), err)
}

// refusal is the result of an event that can't be judged; info is nil where nobody knows it.
func refusal(event hooks.Event, info *hooks.EventInfo, err error) *hooks.Result {
	r := &hooks.Result{}
	r.Summarizer = &hooks.RunSummary{Event: event, StartedAt: time.Now(), Runs: []hooks.Run{}}
	if info != nil && (info.Blocking == hooks.BlockNever || info.Continues) {
		r.Warnings = []string{err.Error()}
		return r
	}
	r.Decision, r.Block, r.Reason = hooks.Deny, true, err.Error()
	if info != nil && info.Output != "" {
		r.Output, r.Modified = withheld("no hook could look at it"), true
	}
	return r
}
