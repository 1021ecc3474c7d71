package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/luahook/luahook/hooks"
)

// Reload reads all hooks again, compiles them, and swaps them in at once; runs of
// the old generation finish with the old hooks. Where a file can't be used that was
// not at fault in the generation in force, that one stays in force, so that no hook
// of it is lost, and the error (each a [*hooks.Error], joined) says why; until it is
// fixed, [Engine.LoadErrors] and a warning of every result say so, too. The new
// generation takes over and blocks as New describes, with the error as well, where only
// files can't be used that could not be used before, and where those of a higher scope
// or the trust in the project have changed: a project must not put that off.
//
// Files that were there and are gone are a failure, too: their hooks stay in force for
// the time of [WithVanishedFor], which is told likewise, and then go by themselves. What
// else has changed takes over meanwhile.
func (e *Engine) Reload(ctx context.Context) error { return e.reload(ctx, asked) }

// reload is Reload.
func (e *Engine) reload(ctx context.Context, why reason) error {
	if err := e.checkUse(ctx); err != nil {
		return err
	}
	e.reloading.Lock()
	defer e.reloading.Unlock()
	if e.active.closed.Load() {
		return ErrClosed
	}
	old := e.loadedNow()
	fresh := e.load(ctx, old, why)
	if err := ctx.Err(); err != nil {
		fresh.retire(e.pool)
		return err
	}
	switch same := fresh.same(old); {
	case fresh.breaks(old), same && len(fresh.gone) > 0:
		fresh.retire(e.pool)
		e.setNotices(fresh.noticesRefused(old))
		return fmt.Errorf("hooks were not reloaded, the last good ones stay in force: %w", fresh.err())
	case same && why == again:
		fresh.retire(e.pool)
		e.setNotices(fresh.noticesInForce())
		return fresh.err()
	}
	if !e.swap(fresh) {
		return ErrClosed
	}
	return fresh.err()
}

// LoadErrors lists the files that can't be used, as [*hooks.Error]s of kind load: those of
// the hooks in force, those that kept a later Reload from taking over, and what has
// vanished and is in force for the time of [WithVanishedFor]. A project that no event has
// needed so far is loaded for that.
func (e *Engine) LoadErrors() []error {
	if !e.made() {
		return []error{ErrNotMade}
	}
	l := e.allLoaded()
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []error
	for _, f := range l.loadErrors {
		list = append(list, f.err)
	}
	for _, err := range e.notices.errs {
		list = append(list, err)
	}
	return list
}

// Unusable lists those of [Engine.LoadErrors] for which every tool call is denied now: files of the hooks in force that
// can't be used, and whose on_failure blocks. What a Reload has found that left the hooks before it in force isn't among
// them.
func (e *Engine) Unusable() []error {
	if !e.made() {
		return []error{ErrNotMade}
	}
	var list []error
	for _, f := range e.allLoaded().loadErrors {
		if f.policy == hooks.Block {
			list = append(list, f.err)
		}
	}
	return list
}

// allLoaded is the reading in force, with the projects' hooks, which are loaded for that.
func (e *Engine) allLoaded() *loaded {
	e.mu.Lock()
	l := e.current
	e.mu.Unlock()
	l, _ = l.all(context.Background(), &e.active) // its end is the only reason not to get them
	return l
}

// Generation counts the plans that this engine has had; each decision's summary
// names the one it was made with.
func (e *Engine) Generation() uint64 {
	if !e.made() {
		return 0
	}
	return e.plan.Load().generation
}

// setNotices has this told from now on, by results and by Problems, and the hooks read again when
// that is due.
func (e *Engine) setNotices(p notices) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.active.closed.Load() {
		return
	}
	e.replaceNotices(p)
	e.replan()
}

// replaceNotices is put for those that make a new plan themselves. e.mu is held.
func (e *Engine) replaceNotices(p notices) {
	e.notices = p
	if e.expiry != nil {
		e.expiry.Stop()
		e.expiry = nil
	}
	if !p.until.IsZero() {
		e.expiry = time.AfterFunc(time.Until(p.until), e.reloadLate)
	}
}

// reloadLate reads the hooks again because what has vanished has been in force for its
// time. While the engine is watched, Watch does that.
func (e *Engine) reloadLate() {
	if !e.active.begin(&e.active.rest) { // Close waits for it
		return
	}
	defer e.active.end(&e.active.rest)
	if e.watching.Load() == nil {
		e.logReload(e.background.ctx, e.Reload(e.background.ctx))
	}
}

// logReload says what came of a Reload that nobody has asked for.
func (e *Engine) logReload(ctx context.Context, err error) {
	if err != nil {
		e.options.logger.WarnContext(ctx, "reading the hooks again", "generation", e.Generation(), "error", err)
		return
	}
	e.options.logger.InfoContext(ctx, "hooks read again", "generation", e.Generation())
}

// resume takes over from a Watch that has ended what is to be done later.
func (e *Engine) resume() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.active.closed.Load() {
		e.replaceNotices(e.notices)
	}
}

// due says when the hooks are to be read again, and whether they are to be soon.
func (e *Engine) due() (until time.Time, unsure bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.notices.until, e.notices.unsure
}

// lastReading is a hash of what was read last, whether it is in force or not.
func (e *Engine) lastReading() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.notices.reading
}
