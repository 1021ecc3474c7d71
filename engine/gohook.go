package engine

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/luahook/luahook/hooks"
)

// newGoEntry checks the registration of a Go hook, which RegisterHook's caller makes,
// and fills in what it leaves to the engine.
func newGoEntry(name hooks.Event, o hooks.Options, fn hooks.Func, engine *options) (*entry, error) {
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
	if o.OnFailure = cmp.Or(o.OnFailure, engine.onFailure); o.OnFailure != "" {
		if _, err := hooks.ParsePolicy(string(o.OnFailure)); err != nil {
			return nil, fmt.Errorf("luahook: RegisterHook: %w", err)
		}
	}
	if o.Timeout < 0 {
		return nil, fmt.Errorf("luahook: RegisterHook: the timeout is %s, want more than nothing, or 0 for the engine's limit", o.Timeout)
	}
	o.Timeout = cmp.Or(o.Timeout, engine.limits.Timeout)
	e := &entry{event: event, options: o, scope: hooks.ScopeEmbedder, handler: hooks.HandlerGo, fn: fn}
	if _, file, line, ok := runtime.Caller(2); ok {
		e.source = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
	if e.options.Name == "" {
		e.options.Name = "go:" + e.source
	}
	return e, nil
}
