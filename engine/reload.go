package engine

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"time"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
)

// breaks tells whether a file is at fault here that was not in old, and old may stay in
// force for that. It may not where the files of a higher scope have changed, or the
// trust in a project: a lower scope would keep that from taking effect.
func (l *loaded) breaks(old *loaded) bool {
	known := map[string]bool{}
	for _, f := range old.faults {
		for _, name := range f.files() {
			known[name] = true
		}
	}
	breaks, highest := false, hooks.ScopeProject
	for _, f := range l.faults {
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
	if !breaks || (old.projects == nil && l.trust != old.trust) {
		return false
	}
	for scope, content := range l.content {
		if scope.Rank() < highest.Rank() && content != old.content[scope] {
			return false
		}
	}
	return true
}

// same tells that l would do what old does.
func (l *loaded) same(old *loaded) bool {
	return maps.Equal(l.content, old.content) && l.trust == old.trust && l.lost == old.lost && l.problems() == old.problems()
}

func (l *loaded) problems() string {
	text := strings.Join(l.warnings, "\n")
	for _, f := range l.faults {
		text += "\n" + f.err.Error()
	}
	return text
}

// pending is what the latest reading of the sources has left to tell and to do.
type pending struct {
	errs     []*hooks.Error // beside the faults of what is in force
	warnings []string       // for every result
	until    time.Time      // when the hooks are to be read again; zero: that needn't be
	unsure   bool           // the hooks are to be read again soon
	reading  string         // see loaded
}

// taken is what is to be told where l is in force.
func (l *loaded) taken() pending {
	p := pending{errs: l.gone, until: l.until, reading: l.reading(), unsure: l.unsure || len(l.faults) > 0 || len(l.gone) > 0}
	for _, err := range l.gone {
		p.warnings = append(p.warnings, err.Brief())
	}
	return p
}

// notTaken is what is to be told where old stays in force.
func (l *loaded) notTaken(old *loaded) pending {
	known := map[string]bool{}
	for _, f := range old.faults {
		known[f.err.Error()] = true
	}
	p := l.taken()
	p.errs = nil
	for _, f := range l.faults {
		if known[f.err.Error()] {
			continue
		}
		p.errs = append(p.errs, f.err)
		p.warnings = append(p.warnings, "not reloaded, the last good hooks stay in force: "+f.err.Brief())
	}
	p.errs = append(p.errs, l.gone...)
	return p
}

// put has this told from now on, by results and by Problems, and the hooks read again when
// that is due.
func (e *Engine) put(p pending) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.active.closed.Load() {
		return
	}
	e.setPending(p)
	e.replan()
}

// setPending is put for those that make a new plan themselves. e.mu is held.
func (e *Engine) setPending(p pending) {
	e.pending = p
	if e.lapse != nil {
		e.lapse.Stop()
		e.lapse = nil
	}
	if !p.until.IsZero() {
		e.lapse = time.AfterFunc(time.Until(p.until), e.reloadLate)
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
		e.setPending(e.pending)
	}
}

// due says when the hooks are to be read again, and whether they are to be soon.
func (e *Engine) due() (until time.Time, unsure bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.pending.until, e.pending.unsure
}

// lastReading is a hash of what was read last, whether it is in force or not.
func (e *Engine) lastReading() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.pending.reading
}

// note takes down what a folder holds and how far it is trusted; standing is nil where
// its hooks are switched off.
func (l *loaded) note(c *source.Content, s *trust.Evaluation) {
	if l.content == nil {
		l.content = map[hooks.Scope]string{}
	}
	scope := c.Folder.Scope
	l.content[scope] = trust.Hash([]byte(l.content[scope] + c.Sum()))
	if c.Folder.Confined && s != nil {
		pin, _ := json.Marshal(s.Pin) // texts and a time: there is nothing to fail
		l.trust = trust.Hash(append([]byte(l.trust), pin...))
		l.lost = trust.Hash([]byte(l.lost + s.Difference))
		l.unsure = l.unsure || s.Unsure
	}
}
