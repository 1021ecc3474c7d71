package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

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
	if err := e.checkUse(ctx); err != nil {
		return err
	}
	if err := e.background.wait(ctx); err != nil {
		return fmt.Errorf("luahook: Drain: %w", err)
	}
	return nil
}

// lastEvents are the functions of BeforeClose.
type lastEvents struct {
	mu   sync.Mutex
	list []*func(ctx context.Context)
}

// BeforeClose has Close call fire first, with its context, while events are still judged: for
// those who have a last event to fire, such as the session_end of a session that is under way.
// It is called once, from whatever goroutine closes the engine, and must return soon. forget
// takes it back. Of an engine that is closed it does nothing.
func (e *Engine) BeforeClose(fire func(ctx context.Context)) (forget func()) {
	if !e.made() || fire == nil {
		return func() {}
	}
	e.lasts.mu.Lock()
	defer e.lasts.mu.Unlock()
	e.lasts.list = append(e.lasts.list, &fire)
	return func() {
		e.lasts.mu.Lock()
		defer e.lasts.mu.Unlock()
		e.lasts.list = slices.DeleteFunc(e.lasts.list, func(f *func(context.Context)) bool { return f == &fire })
	}
}

// fireLast calls the functions of BeforeClose, in the order in which they came.
func (e *Engine) fireLast(ctx context.Context) {
	e.lasts.mu.Lock()
	list := e.lasts.list
	e.lasts.list = nil
	e.lasts.mu.Unlock()
	for _, fire := range list {
		e.protected(ctx, "BeforeClose", func() { (*fire)(ctx) })
	}
}

// Close calls the functions of BeforeClose, refuses new events, waits for the runs that have begun and for the async hooks
// that are queued, frees all states, and waits for the stragglers, for a minute where ctx
// has no deadline. Where ctx is done before, the error says what was still out; async hooks
// that still wait then are dropped and those at work ended, for the rest call Close again to
// wait on. A run that doesn't end within 3 s of its context is left behind, and named. Closing
// twice is no error. A hook must not close its own engine: it would wait for itself.
func (e *Engine) Close(ctx context.Context) error {
	if err := e.checkUse(ctx); err != nil {
		return err
	}
	e.fireLast(ctx)
	e.active.closed.Store(true)
	e.endWatch()
	if _, bounded := ctx.Deadline(); !bounded && !e.idle() {
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
	e.replaceNotices(notices{}) // which ends its timer
	e.current.retire(e.pool)
	e.mu.Unlock()
	if err := errors.Join(cut, e.stragglers.Drain(ctx)); err != nil {
		return fmt.Errorf("luahook: Close: %w", err)
	}
	if err := e.stores.close(ctx, e.stragglers); err != nil { // whom no straggler uses any more
		return fmt.Errorf("luahook: Close: %w", err)
	}
	return nil
}

// idle reports whether there is nothing that Close would have to wait for.
func (e *Engine) idle() bool {
	return e.active.running() == 0 && e.background.resting() && len(e.stragglers.Names()) == 0
}
