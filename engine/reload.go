package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
)

// Reload reads all hooks again, compiles them, and swaps them in at once; runs of
// the old generation finish with the old hooks. Where a file can't be used that was
// not at fault in the generation in force, that one stays in force, so that no hook
// of it is lost, and the error (each a [*hooks.Error], joined) says why; until it is
// mended, [Engine.LoadErrors] and a warning of every result say so, too. The new
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
	e.mu.Lock()
	l := e.current
	e.mu.Unlock()
	l, _ = l.all(context.Background(), &e.active) // its end is the only reason not to get them
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

// Generation counts the plans that this engine has had; each decision's summary
// names the one it was made with.
func (e *Engine) Generation() uint64 {
	if !e.made() {
		return 0
	}
	return e.plan.Load().generation
}

// breaks reports whether a file is at fault here that was not in old, and old may stay in
// force for that. It may not where the files of a higher scope have changed, or the
// trust in a project: a lower scope would keep that from taking effect.
func (l *loaded) breaks(old *loaded) bool {
	known := map[string]bool{}
	for _, f := range old.loadErrors {
		for _, name := range f.files() {
			known[name] = true
		}
	}
	breaks, highest := false, hooks.ScopeProject
	for _, f := range l.loadErrors {
		if old.projects != nil && f.scope == hooks.ScopeProject { // none of them is in force yet
			continue
		}
		for _, name := range f.files() {
			if !known[name] {
				breaks = true
				if f.scope.Rank() < highest.Rank() {
					highest = f.scope
				}
			}
		}
	}
	if !breaks || (old.projects == nil && l.pins != old.pins) {
		return false
	}
	for scope, content := range l.content {
		if scope.Rank() < highest.Rank() && content != old.content[scope] {
			return false
		}
	}
	return true
}

// same reports that l would do what old does.
func (l *loaded) same(old *loaded) bool {
	return maps.Equal(l.content, old.content) && l.pins == old.pins && l.differences == old.differences && l.problems() == old.problems()
}

func (l *loaded) problems() string {
	text := strings.Join(l.warnings, "\n")
	for _, f := range l.loadErrors {
		text += "\n" + f.err.Error()
	}
	return text
}

// notices is what the latest reading of the sources has left to tell and to do.
type notices struct {
	errs     []*hooks.Error // beside the faults of what is in force
	warnings []string       // for every result
	until    time.Time      // when the hooks are to be read again; zero: that needn't be
	unsure   bool           // the hooks are to be read again soon
	reading  string         // see loaded
}

// noticesInForce is what is to be told where l is in force.
func (l *loaded) noticesInForce() notices {
	p := notices{errs: l.gone, until: l.until, reading: l.reading(), unsure: l.unsure || len(l.loadErrors) > 0 || len(l.gone) > 0}
	for _, err := range l.gone {
		p.warnings = append(p.warnings, err.Brief())
	}
	return p
}

// noticesRefused is what is to be told where old stays in force.
func (l *loaded) noticesRefused(old *loaded) notices {
	known := map[string]bool{}
	for _, f := range old.loadErrors {
		known[f.err.Error()] = true
	}
	p := l.noticesInForce()
	p.errs = nil
	for _, f := range l.loadErrors {
		if known[f.err.Error()] {
			continue
		}
		p.errs = append(p.errs, f.err)
		p.warnings = append(p.warnings, "not reloaded, the last good hooks stay in force: "+f.err.Brief())
	}
	p.errs = append(p.errs, l.gone...)
	return p
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
	if !e.active.begin() { // Close waits for it
		return
	}
	defer e.active.end()
	if e.watching.Load() == nil {
		e.logReload(e.background.ctx, e.Reload(e.background.ctx))
	}
}

// logReload says what came of a Reload that nobody has asked for.
func (e *Engine) logReload(ctx context.Context, err error) {
	if err != nil {
		e.options.logger.WarnContext(ctx, "hooks read again", "generation", e.Generation(), "error", err)
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

// noteContent takes down what a folder holds and how far it is trusted; standing is nil where
// its hooks are switched off.
func (l *loaded) noteContent(c *source.Content, s *trust.Evaluation) {
	if l.content == nil {
		l.content = map[hooks.Scope]string{}
	}
	scope := c.Folder.Scope
	l.content[scope] = trust.Hash([]byte(l.content[scope] + c.Sum()))
	if c.Folder.Confined && s != nil {
		pin, _ := json.Marshal(s.Pin) // texts and a time: there is nothing to fail
		l.pins = trust.Hash(append([]byte(l.pins), pin...))
		l.differences = trust.Hash([]byte(l.differences + s.Difference))
		l.unsure = l.unsure || s.Unsure
	}
}
