package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/luahook/luahook/hooks"
)

// Observer is told of each run of a hook, async ones included. It is called on the
// goroutine that runs the hook or folds its answer, so it should be quick, and may be
// called from several at once. It must not change what it gets, nor keep it after it
// returns. A panic of it is logged and changes nothing.
type Observer interface {
	// RunStarted tells that a hook is about to be called; the run has its id, hook,
	// event, handler, mode, scope, source and order.
	RunStarted(ctx context.Context, run *hooks.Run)
	// RunCompleted tells what it came to. A run that was dropped before it began has
	// no RunStarted.
	RunCompleted(ctx context.Context, run *hooks.Run)
}

// WithObserver adds an observer.
func WithObserver(o Observer) Option {
	return func(options *options) error {
		if o == nil {
			return errors.New("WithObserver: the observer is nil")
		}
		options.observers = append(options.observers, o)
		return nil
	}
}

func (e *Engine) observeStart(ctx context.Context, run *hooks.Run) {
	for _, o := range e.options.observers {
		e.guarded(func() { o.RunStarted(ctx, run) })
	}
}

// observeEnd tells the observers and the log of a run that has ended.
func (e *Engine) observeEnd(ctx context.Context, run *hooks.Run) {
	for _, o := range e.options.observers {
		e.guarded(func() { o.RunCompleted(ctx, run) })
	}
	level := slog.LevelDebug
	if run.Status == hooks.StatusFailed {
		level = slog.LevelWarn
	}
	log := e.options.logger
	if !log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("event", string(run.Event)), slog.String("hook", run.Hook), slog.String("status", string(run.Status)),
		slog.Int64("duration_us", run.DurationUS), slog.String("scope", string(run.Scope)), slog.String("source", run.Source), slog.String("run", run.ID),
	}
	if run.Error != nil {
		attrs = append(attrs, slog.String("kind", string(run.Error.Kind)), slog.String("error", run.Error.Message))
		if run.Error.Limit != "" {
			attrs = append(attrs, slog.String("limit", string(run.Error.Limit)))
		}
	}
	message := "hook run"
	if level == slog.LevelWarn {
		message = "hook failed"
	}
	log.LogAttrs(ctx, level, message, attrs...)
}

// decided logs and counts the decision on an event.
func (e *Engine) decided(ctx context.Context, event hooks.Event, r *hooks.Result) {
	e.counters.fire(r.Decision)
	if r.Decision == hooks.NoOpinion || !e.options.logger.Enabled(ctx, slog.LevelInfo) {
		return
	}
	attrs := []slog.Attr{slog.String("event", string(event)), slog.String("decision", string(r.Decision)), slog.String("reason", r.Reason)}
	if r.Summary != nil {
		attrs = append(attrs, slog.Uint64("generation", r.Summary.Generation))
	}
	e.options.logger.LogAttrs(ctx, slog.LevelInfo, "decision", attrs...)
}

// guarded calls something of the embedder's; a panic is logged.
func (e *Engine) guarded(f func()) {
	defer func() {
		if r := recover(); r != nil {
			e.options.logger.Error(fmt.Sprintf("an observer panicked: %v", r))
		}
	}()
	f()
}

// Counters are what an engine has done since it was made.
type Counters struct {
	Fires        uint64 // events that were judged, those without a hook included
	Allows       uint64
	Asks         uint64
	Denies       uint64
	AsyncDropped uint64                     // runs of async hooks that didn't fit or were cut off by Close
	Failures     map[hooks.ErrorKind]uint64 // failed runs
}

// Counters gives a copy of the counts as they are now.
func (e *Engine) Counters() Counters {
	c := &e.counters
	c.mu.Lock()
	defer c.mu.Unlock()
	failures := make(map[hooks.ErrorKind]uint64, len(c.failures))
	for kind, n := range c.failures {
		failures[kind] = n
	}
	return Counters{
		Fires: c.fires.Load(), Allows: c.allows.Load(), Asks: c.asks.Load(), Denies: c.denies.Load(),
		AsyncDropped: c.dropped.Load(), Failures: failures,
	}
}

// counters are those of one engine, which owns them.
type counters struct {
	fires, allows, asks, denies, dropped atomic.Uint64

	mu       sync.Mutex
	failures map[hooks.ErrorKind]uint64
}

func (c *counters) fire(d hooks.Decision) {
	c.fires.Add(1)
	switch d {
	case hooks.Allow:
		c.allows.Add(1)
	case hooks.Ask:
		c.asks.Add(1)
	case hooks.Deny:
		c.denies.Add(1)
	}
}

func (c *counters) fail(kind hooks.ErrorKind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failures == nil {
		c.failures = map[hooks.ErrorKind]uint64{}
	}
	c.failures[kind]++
}
