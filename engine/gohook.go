package engine

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"github.com/luahook/luahook/hooks"
)

// RegisterHook adds a hook written in Go for an event, in any spelling. It runs in
// the embedder's scope, ordered by its priority among that scope's scripts, before
// those of the same priority. Where it has no Timeout, the engine's limit ([WithLimits],
// 1 s by default) holds; a hook that waits for a person may have a longer one.
// unregister takes the hook away again; a run that has begun finishes.
func (e *Engine) RegisterHook(event hooks.Event, o hooks.Options, fn hooks.Func) (unregister func(), err error) {
	if !e.made() {
		return nil, ErrNotMade
	}
	entry, err := newGoHook(event, o, fn, &e.options)
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

// goHooks counts the registrations of Go hooks, for their keys.
var goHooks atomic.Uint64

// newGoHook checks the registration of a Go hook, which RegisterHook's caller makes,
// and fills in what it leaves to the engine.
func newGoHook(name hooks.Event, o hooks.Options, fn hooks.Func, engine *options) (*hook, error) {
	event, err := hooks.ParseEvent(string(name))
	if err != nil {
		return nil, fmt.Errorf("luahook: %w", err)
	}
	if fn == nil {
		return nil, errors.New("luahook: RegisterHook: the function is nil")
	}
	if err := o.Match.Check(hooks.Lookup(event)); err != nil {
		return nil, fmt.Errorf("luahook: RegisterHook: %w", err)
	}
	if o.Mode == hooks.ModeAsync && o.OnFailure == hooks.Block {
		return nil, errors.New("luahook: RegisterHook: an async hook observes while the event goes on, so it can't block; use warn or ignore")
	}
	if o.OnFailure = cmp.Or(o.OnFailure, engine.onFailure); o.OnFailure != "" {
		if _, err := hooks.ParsePolicy(string(o.OnFailure)); err != nil {
			return nil, fmt.Errorf("luahook: RegisterHook: %w", err)
		}
	}
	if o.Mode != "" {
		if _, err := hooks.ParseMode(string(o.Mode)); err != nil {
			return nil, fmt.Errorf("luahook: RegisterHook: %w", err)
		}
	}
	if o.Timeout < 0 {
		return nil, fmt.Errorf("luahook: RegisterHook: the timeout is %s, want more than nothing, or 0 for the engine's limit", o.Timeout)
	}
	o.Timeout = cmp.Or(o.Timeout, engine.limits.Timeout)
	e := &hook{event: event, options: o, scope: hooks.ScopeEmbedder, handler: hooks.HandlerGo, fn: fn, within: engine.within, followups: defaultFollowups}
	if engine.followups >= 0 {
		e.followups = engine.followups
	}
	e.key = fmt.Sprintf("go\x00%d", goHooks.Add(1))
	if _, file, line, ok := runtime.Caller(2); ok {
		e.source = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
	if e.options.Name == "" {
		e.options.Name = "go:" + e.source
	}
	return e, nil
}
