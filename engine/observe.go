package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"github.com/luahook/luahook/hooks"
)

// Observer is told of each run of a hook. Its methods are called on the goroutine of
// the run, which waits for them, from several at once where hooks run side by side;
// they should return soon. A panic of one is logged. What a run points to is shared:
// it may be kept, and must not be changed.
type Observer interface {
	// RunStarted: the hook is about to be called. The run's status is running, it has no
	// outcome yet. One that is skipped is started and completed as well.
	RunStarted(ctx context.Context, run hooks.Run)
	// RunCompleted: the run is over, with all that the result's summary will tell of
	// it. An async hook is started and completed when its turn comes, which may be
	// after the event; one that is dropped before is neither.
	RunCompleted(ctx context.Context, run hooks.Run)
}

// FireObserver is an [Observer] that is also told of each event that is fired, as a whole:
// of those that no hook is registered for, those that can't be judged, and those that hooks
// and the engine itself fire as well; only not of what Fire refuses with [ErrNotMade] or
// [ErrNoContext]. Its methods are called on the goroutine of Fire, which waits for them.
type FireObserver interface {
	Observer
	// FireStarted: the hooks are about to be told of the event. c is as the caller gave it, empty
	// where that was nil; it is the caller's, so it must not be changed, nor kept after
	// FireCompleted. The context that is returned takes ctx's place for all that the event sets
	// off: its hooks and their async runs, the events that they fire, and what observers are
	// told. It must be made from ctx; nil stands for ctx.
	FireStarted(ctx context.Context, c *hooks.Context) context.Context
	// FireCompleted: Fire is about to return r and err. ctx is the event's. Async runs may still
	// be to come. After a FireStarted that panicked it isn't called.
	FireCompleted(ctx context.Context, r *hooks.Result, err error)
}

// WithObserver adds an observer. Observers are called in the order in which they were
// added.
func WithObserver(o Observer) Option {
	return func(given *options) error {
		if o == nil {
			return errors.New("WithObserver: the observer is nil")
		}
		given.observers = append(given.observers, o)
		if o, ok := o.(FireObserver); ok {
			given.fireObservers = append(given.fireObservers, o)
		}
		return nil
	}
}

// observeFireStart tells the observers that an event is fired. It returns the event's context,
// and who is to be told of the end. c is nil where there is no event.
func (e *Engine) observeFireStart(ctx context.Context, c *hooks.Context) (context.Context, []FireObserver) {
	if len(e.options.fireObservers) == 0 {
		return ctx, nil
	}
	if c == nil {
		c = &hooks.Context{}
	}
	told := make([]FireObserver, 0, len(e.options.fireObservers))
	for _, o := range e.options.fireObservers {
		e.protected(ctx, "WithObserver", func() {
			if inside := o.FireStarted(ctx, c); inside != nil {
				ctx = inside
			}
			told = append(told, o)
		})
	}
	return ctx, told
}

// observeFireEnd tells the observers that were told of the start what has become of the event.
func (e *Engine) observeFireEnd(ctx context.Context, told []FireObserver, r *hooks.Result, err error) {
	for _, o := range told {
		e.protected(ctx, "WithObserver", func() { o.FireCompleted(ctx, r, err) })
	}
}

// observeStart tells the observers that a run begins.
func (f *firing) observeStart(run *hookRun) {
	if len(f.engine.options.observers) > 0 {
		f.notifyObservers(Observer.RunStarted, run)
	}
}

// observeEnd tells the observers and the log that a run is over. Nothing of it may
// change any more.
func (f *firing) observeEnd(run *hookRun) {
	if len(f.engine.options.observers) > 0 {
		f.notifyObservers(Observer.RunCompleted, run)
		f.look()
	}
	if run.failed() || f.engine.options.logger.Enabled(f.context.Context, slog.LevelDebug) {
		f.engine.logRun(f.context.Context, run.describe(f.event.Event, f.id))
	}
}

func (f *firing) notifyObservers(tell func(Observer, context.Context, hooks.Run), of *hookRun) {
	ctx, run := f.context.Context, of.describe(f.event.Event, f.id)
	for _, o := range f.engine.options.observers {
		if p := f.engine.protected(ctx, "WithObserver", func() { tell(o, ctx, run) }); p != nil {
			f.noteFailure(&hooks.Error{Kind: hooks.KindHost, Hook: "WithObserver", Message: fmt.Sprintf("the observer panicked: %v", p)})
		}
	}
}

// The records about runs and decisions. The event is an attribute of each, and of no
// other record of an engine: what they say is in the result, too, but for the runs with
// mode async, so a program that prints that may leave the others out.
const (
	recordRun      = "hook run"
	recordFailure  = "hook failed"
	recordDecision = "hook decision"
)

// logRun writes what a run came to: a line at debug, and one at warn where it failed.
func (e *Engine) logRun(ctx context.Context, run hooks.Run) {
	logger := e.options.logger
	if run.Status != hooks.StatusSkipped && run.Error != nil && logger.Enabled(ctx, slog.LevelWarn) {
		logger.LogAttrs(ctx, slog.LevelWarn, recordFailure,
			slog.String("event", string(run.Event)), slog.String("hook", run.Hook), slog.String("source", run.Source), slog.String("mode", string(run.Mode)),
			slog.String("kind", string(run.Error.Kind)), slog.String("limit", string(run.Error.Limit)), slog.String("message", run.Error.Message))
	}
	if logger.Enabled(ctx, slog.LevelDebug) {
		logger.LogAttrs(ctx, slog.LevelDebug, recordRun,
			slog.String("event", string(run.Event)), slog.String("hook", run.Hook), slog.String("status", string(run.Status)),
			slog.Int64("duration_us", run.DurationUS), slog.String("scope", string(run.Scope)), slog.String("source", run.Source),
			slog.Bool("judging", run.Judging))
	}
}

// noteDecision counts what became of an event, and logs it where that is a decision.
func (e *Engine) noteDecision(ctx context.Context, r *hooks.Result, l *lane) {
	l.count(r.Decision)
	logger := e.options.logger
	if r.Decision == hooks.NoOpinion || !logger.Enabled(ctx, slog.LevelInfo) {
		return
	}
	summary := r.Summary()
	logger.LogAttrs(ctx, slog.LevelInfo, recordDecision,
		slog.String("event", string(summary.Event)), slog.String("decision", string(r.Decision)), slog.String("reason", r.Reason),
		slog.String("hook", decider(r, summary)), slog.Uint64("generation", summary.Generation))
}

// decider names the hook whose decision the result has, or "".
func decider(r *hooks.Result, summary *hooks.RunSummary) string {
	failed := ""
	for _, run := range summary.Runs {
		if run.Decision == r.Decision {
			return run.Hook
		}
		if run.Status == hooks.StatusFailed {
			failed = run.Hook
		}
	}
	if r.Decision == hooks.Deny { // so none of them denied, and the failure of one did
		return failed
	}
	return ""
}

// protected calls what belongs to the embedder; a panic of it ends nothing but the
// call, and is logged and given.
func (e *Engine) protected(ctx context.Context, callback string, call func()) (panicked any) {
	defer func() {
		if panicked = recover(); panicked != nil {
			e.logPanic(ctx, callback, panicked)
		}
	}()
	call()
	return nil
}

func (e *Engine) logPanic(ctx context.Context, callback string, value any) {
	e.options.logger.LogAttrs(ctx, slog.LevelError, "a callback panicked",
		slog.String("callback", callback), slog.Any("panic", value), slog.String("traceback", string(debug.Stack())))
}

// Counters are what an engine has counted since it was made.
type Counters struct {
	Fires        uint64 // events fired, those that no hook is registered for included
	Allows       uint64 // of them: allowed
	Asks         uint64
	Denies       uint64                     // events that can't be judged included
	AsyncDropped uint64                     // runs of async hooks that didn't fit or were cut off by Close
	Failures     map[hooks.ErrorKind]uint64 // failed runs by the kind of their error; a kind that has none is left out
}

// Counters reads the counters. The figures are of about the same moment; the map is
// the caller's own.
func (e *Engine) Counters() Counters {
	read := Counters{Failures: map[hooks.ErrorKind]uint64{}}
	if !e.made() {
		return read
	}
	c := &e.counters
	read.Allows, read.Asks, read.Denies = e.active.decided(hooks.Allow), e.active.decided(hooks.Ask), e.active.decided(hooks.Deny)
	read.Fires = e.active.decided(hooks.NoOpinion) + read.Allows + read.Asks + read.Denies
	read.AsyncDropped = c.dropped.Load()
	for i, kind := range failureKinds {
		if n := c.failures[i].Load(); n > 0 {
			read.Failures[kind] = n
		}
	}
	return read
}

// failureKinds are what failures are counted by. The first one stands for kinds that a
// Go hook has made up.
var failureKinds = [...]hooks.ErrorKind{hooks.KindHost, hooks.KindLoad, hooks.KindScript, hooks.KindLimit, hooks.KindResult, hooks.KindCommand, hooks.KindTrust}

// counters may be counted up from several goroutines at once.
type counters struct {
	dropped  atomic.Uint64
	failures [len(failureKinds)]atomic.Uint64
}

// fail counts a failed run.
func (c *counters) fail(kind hooks.ErrorKind) {
	at := max(slices.Index(failureKinds[:], kind), 0)
	c.failures[at].Add(1)
}
