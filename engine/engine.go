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
	"strings"
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

// maxStragglers is how many calls may have outlasted their run before nothing more is
// called that may do so, too.
const maxStragglers = 16

// ErrClosed is the error of using an engine after Close.
var ErrClosed = errors.New("luahook: the engine is closed")

// Errors of using the engine in a way that can't be meant; no event has been judged.
var (
	ErrNotMade   = misuse.NotMade("engine.New")
	ErrNoContext = misuse.ErrNoContext
)

// misused says why an engine can't be used, or not with that context.
func (e *Engine) misused(ctx context.Context) error {
	switch {
	case !e.made():
		return ErrNotMade
	case ctx == nil:
		return ErrNoContext
	}
	return nil
}

// made tells whether New has made the engine.
func (e *Engine) made() bool { return e != nil && e.plan.Load() != nil }

var errNoEvent = &hooks.InputError{Offset: -1, Message: "there is none (nil)"}

// Engine holds hooks and fires events at them. Make one with [New]; of another, such as a nil
// one, every method that can gives [ErrNotMade]. All methods may be called from several
// goroutines at once. A nil context is [ErrNoContext].
type Engine struct {
	options  options
	pool     *pool.Pool
	fires    atomic.Uint64 // numbers of events with runs
	token    func() string // no other engine has it; made when it is needed
	depth    int           // hooks above this process
	counters counters
	watching atomic.Pointer[context.CancelFunc] // of the Watch under way, or nil
	plan     atomic.Pointer[plan]
	active   activity
	untold   atomic.Bool             // the log couldn't be written to, which is told once
	redactor func() *redact.Redactor // which knows the environment; made when it is asked for

	root string        // the project's, with slashes; "": there is none
	home func() string // the user's home folder, "" where nobody knows it

	homeOf func(user string) string // of whoever is named; see [hooks.Place]

	stores     *stores
	stragglers *luabind.Stragglers
	background *background
	once       claims

	reloading sync.Mutex        // one Reload reads at a time, so that the latest reading wins
	vanished  []source.Vanished // by folder

	mu      sync.Mutex // held to change what follows, and to swap the plan
	loaded  *loaded
	pending pending // what is told beside that
	goHooks []*entry
	counter uint64      // the last generation
	lapse   *time.Timer // reads again once the first of what has vanished goes; or nil
}

// New loads the hooks that the options name. Without options that is the built-in
// safety-guard alone. A script or hooks.yaml that can't be used is no error here:
// as a guard that is not there must not look like one that agreed, it blocks
// pre_tool_call and permission_request until it is mended; [Engine.Problems] lists
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
	e := newEngine(o)
	e.swap(e.load(context.Background(), nil, asked))
	return e, nil
}

// newEngine is an engine without hooks.
func newEngine(o options) *Engine {
	o.relateFolders()
	e := &Engine{
		options: o, token: sync.OnceValue(rand.Text), depth: depthOfProcess(), root: filepath.ToSlash(o.root),
		pool: pool.New(o.maxStates), stores: newStores(), stragglers: luabind.NewStragglers(maxStragglers), background: newBackground(),
		redactor: sync.OnceValue(func() *redact.Redactor { return redact.New(os.Environ()) }),
	}
	e.active.drained = make(chan struct{}, 1)
	e.home = sync.OnceValue(func() string { return filepath.ToSlash(e.host().Home) })
	e.homeOf = e.homeOfUser
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
	if err := e.misused(ctx); err != nil {
		name := hooks.Event("")
		if c != nil {
			name = c.Event
		}
		return refusal(name, err), err
	}
	p := e.currentPlan()
	if c == nil {
		return e.refuse(ctx, p, nil, time.Now(), errNoEvent)
	}
	// plan: what is registered for this event, in order.
	at := p.at(c.Event)
	if e.concernsNobody(p, at) {
		e.counters.fire(hooks.NoOpinion)
		return at.nothing, nil
	}
	started := time.Now()
	if !e.active.begin() {
		return e.refuse(ctx, p, c, started, ErrClosed)
	}
	defer e.active.end()
	return e.fire(ctx, c, p, at, started)
}

// concernsNobody reports whether nothing is to be done for an event but to count it. Nothing
// is under way meanwhile that Close would have to wait for.
func (e *Engine) concernsNobody(p *plan, at *eventPlan) bool {
	return at != nil && len(at.entries) == 0 && !p.loops && p.projects == nil && e.options.onError == nil && !e.recordsEvents() && !e.active.closed.Load()
}

// fire is Fire for an engine that stays open meanwhile. at is nil where nobody knows the
// event.
func (e *Engine) fire(ctx context.Context, c *hooks.Context, p *plan, at *eventPlan, started time.Time) (*hooks.Result, error) {
	if at == nil {
		_, err := hooks.ParseEvent(string(c.Event))
		r, err := e.refuse(ctx, p, c, started, err)
		e.decided(ctx, c.Event, r)
		return r, err
	}
	e.tellError(ctx, c, at.info)
	if len(at.entries) == 0 && p.projects == nil {
		if p.loops {
			(&firing{engine: e, plan: p, info: at.info, event: c}).turn(ctx)
		}
		e.counters.fire(hooks.NoOpinion)
		if e.recordsEvents() {
			if event, err := c.Complete(); err == nil {
				c = event
			}
		}
		return e.record(ctx, p, c, started, at.nothing), nil
	}

	f := firings.Get().(*firing)
	defer f.over()
	event := &f.completed
	event.ToolCall, f.call.Paths = &f.call, f.paths[:0]
	if err := c.CompleteInto(event, at.info); err != nil {
		r, err := e.refuse(ctx, p, c, started, err)
		e.decided(ctx, at.info.Name, r)
		return r, err
	}
	f.engine, f.plan, f.event, f.info, f.entries, f.started = e, p, event, at.info, at.entries, started
	f.locate()
	inside := f.enter(ctx)
	// match, call, merge: hook by hook; see pass.
	every, from := func(int, *entry) bool { return true }, 0
	if p.projects != nil {
		from = aboveProjects(f.entries)
		f.pass(inside, 0, from, every)
		// load: what a project brings, once nobody above it has denied.
		f.addProject(inside)
	}
	f.pass(inside, from, len(f.entries), every)
	// judge again: whatever was rewritten after a hook has seen it.
	f.judge(inside)
	// report: the summary of all runs.
	r, err := f.report()
	return e.record(ctx, p, event, started, r), err
}

// pass takes the event through those of the hooks from one to before another that are
// wanted, in the plan's order. Parallel hooks that stand side by side run together, every
// other one by itself.
func (f *firing) pass(ctx context.Context, from, to int, wanted func(i int, e *entry) bool) {
	for at := from; at < to; {
		group := f.entries[at : at+1]
		if group[0].mode == hooks.ModeParallel {
			group = f.entries[at : at+abreast(f.entries[at:to])]
		}
		var parallel []*entry
		for i, e := range group {
			// match: in Go, before Lua is entered.
			switch {
			case !wanted(at+i, e) || f.stopped(e) || !f.concerns(ctx, e):
			case e.mode == hooks.ModeParallel:
				parallel = append(parallel, e)
			case e.mode == hooks.ModeAsync:
				f.observe(e)
			default:
				// call: with a budget, in a state of the script's pool.
				a := f.run(ctx, e)
				// merge: the answer, or what the failure policy makes of there being none.
				f.merge(ctx, e, &a)
			}
		}
		if len(parallel) > 0 {
			f.together(ctx, parallel)
		}
		at += len(group)
	}
}

// RegisterHook adds a hook written in Go for an event, in any spelling. It runs in
// the embedder's scope, ordered by its priority among that scope's scripts, before
// those of the same priority. Where it has no Timeout, the engine's limit ([WithLimits],
// 1 s by default) holds; a hook that waits for a person may have a longer one.
// unregister takes the hook away again; a run that has begun finishes.
func (e *Engine) RegisterHook(event hooks.Event, o hooks.Options, fn hooks.Func) (unregister func(), err error) {
	if !e.made() {
		return nil, ErrNotMade
	}
	entry, err := newGoEntry(event, o, fn, &e.options)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.active.closed.Load() {
		return nil, ErrClosed
	}
	e.goHooks = append(e.goHooks, entry)
	e.rebuild()
	return func() { e.unregister(entry) }, nil
}

// Reload reads all hooks again, compiles them, and swaps them in at once; runs of
// the old generation finish with the old hooks. Where a file can't be used that was
// not at fault in the generation in force, that one stays in force, so that no hook
// of it is lost, and the error (each a [*hooks.Error], joined) says why; until it is
// mended, [Engine.Problems] and a warning of every result say so, too. The new
// generation takes over and blocks as New describes, with the error as well, where only
// files can't be used that could not be used before, and where those of a higher scope
// or the trust in the project have changed: a project must not put that off.
//
// Files that were there and are gone are a failure, too: their hooks stay in force for
// the time of [WithVanishedFor], which is told likewise, and then go by themselves. What
// else has changed takes over meanwhile.
func (e *Engine) Reload(ctx context.Context) error { return e.reload(ctx, asked) }

// reason is why the hooks are read again.
type reason int

const (
	asked   reason = iota // somebody has called Reload, who knows that the files are whole
	changed               // a file has changed, and may be in the middle of being written
	again                 // the last try has failed; one with the same outcome makes no new generation
)

// reload is Reload.
func (e *Engine) reload(ctx context.Context, why reason) error {
	if err := e.misused(ctx); err != nil {
		return err
	}
	e.reloading.Lock()
	defer e.reloading.Unlock()
	if e.active.closed.Load() {
		return ErrClosed
	}
	old := e.current()
	fresh := e.load(ctx, old, why)
	if err := ctx.Err(); err != nil {
		fresh.retire(e.pool)
		return err
	}
	switch same := fresh.same(old); {
	case fresh.breaks(old), same && len(fresh.gone) > 0:
		fresh.retire(e.pool)
		e.put(fresh.notTaken(old))
		return fmt.Errorf("hooks were not reloaded, the last good ones stay in force: %w", fresh.err())
	case same && why == again:
		fresh.retire(e.pool)
		e.put(fresh.taken())
		return fresh.err()
	}
	if !e.swap(fresh) {
		return ErrClosed
	}
	return fresh.err()
}

// Problems lists the files that can't be used, as [*hooks.Error]s of kind load: those of
// the hooks in force, those that kept a later Reload from taking over, and what has
// vanished and is in force for the time of [WithVanishedFor]. A project that no event has
// needed so far is loaded for that.
func (e *Engine) Problems() []error {
	if !e.made() {
		return []error{ErrNotMade}
	}
	e.mu.Lock()
	l := e.loaded
	e.mu.Unlock()
	l, _ = l.all(context.Background(), &e.active) // its end is the only reason not to get them
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []error
	for _, f := range l.faults {
		list = append(list, f.err)
	}
	for _, err := range e.pending.errs {
		list = append(list, err)
	}
	return list
}

// Generation counts the plans that this engine has had; each decision's summary
// names the one it was made with.
func (e *Engine) Generation() uint64 {
	if !e.made() {
		return 0
	}
	return e.plan.Load().generation
}

// Stragglers names the methods of host objects ("desk.Move") and the Go hooks ("hook
// quota") that have outlasted their run and not come back yet, one entry for each
// call. While there are 16, no other is called: a hook that would fails instead.
func (e *Engine) Stragglers() []string {
	if !e.made() {
		return nil
	}
	return e.stragglers.Names()
}

// Drain waits until no async hook is queued or at work. Where ctx is done before, the error
// is its own, and they go on.
func (e *Engine) Drain(ctx context.Context) error {
	if err := e.misused(ctx); err != nil {
		return err
	}
	if err := e.background.wait(ctx); err != nil {
		return fmt.Errorf("luahook: Drain: %w", err)
	}
	return nil
}

// closeTime is how long Close waits where its context has no deadline.
const closeTime = time.Minute

// Close refuses new events, waits for the runs that have begun and for the async hooks
// that are queued, frees all states, and waits for the stragglers, for a minute where ctx
// has no deadline. Where ctx is done before, the error says what was still out; async hooks
// that still wait then are dropped and those at work ended, for the rest call Close again to
// wait on. A run that doesn't end within 3 s of its context is left behind, and named. Closing
// twice is no error. A hook must not close its own engine: it would wait for itself.
func (e *Engine) Close(ctx context.Context) error {
	if err := e.misused(ctx); err != nil {
		return err
	}
	e.active.closed.Store(true)
	e.endWatch()
	if _, bounded := ctx.Deadline(); !bounded && !e.atRest() {
		within, cancel := context.WithTimeout(ctx, closeTime)
		defer cancel()
		ctx = within
	}
	if err := e.active.close(ctx); err != nil {
		return fmt.Errorf("luahook: Close: %w", err)
	}
	var cut error
	if n, stuck := e.background.drain(ctx); n > 0 {
		e.counters.dropped.Add(uint64(n))
		cut = fmt.Errorf("async hooks that were dropped or ended: %d: %w", n, ctx.Err())
		if len(stuck) > 0 {
			cut = fmt.Errorf("%w; not at their end yet: %s", cut, strings.Join(stuck, ", "))
		}
	}
	e.mu.Lock()
	e.setPending(pending{}) // which ends its timer
	e.loaded.retire(e.pool)
	e.mu.Unlock()
	if err := errors.Join(cut, e.stragglers.Drain(ctx)); err != nil {
		return fmt.Errorf("luahook: Close: %w", err)
	}
	if err := e.stores.close(ctx, e.stragglers); err != nil { // whom no straggler uses any more
		return fmt.Errorf("luahook: Close: %w", err)
	}
	return nil
}

// atRest tells whether there is nothing that Close would have to wait for.
func (e *Engine) atRest() bool {
	return e.active.running.Load() == 0 && e.background.atRest() && len(e.stragglers.Names()) == 0
}
