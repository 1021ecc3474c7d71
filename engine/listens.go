package engine

import (
	"slices"

	"github.com/luahook/luahook/hooks"
)

// Listens reports whether a hook may be called for that event of that tool call, whatever the
// call comes to. It is for adapters that would have to hold a tool's stream back for hooks, or
// gather what an event needs, for nobody. Call's name, kind and input count; an empty one asks
// about an event that is about no tool. Where the hooks of a project aren't loaded yet, it is
// true.
func (e *Engine) Listens(event hooks.Event, call hooks.ToolCall) bool {
	if !e.made() {
		return false
	}
	p := e.currentPlan()
	at := p.at(event)
	switch {
	case at == nil:
		return false
	case p.projects != nil:
		return true
	case len(at.hooks) == 0:
		return false
	}
	c, err := (&hooks.Context{Event: event, ToolCall: &call}).Complete()
	return err != nil || slices.ContainsFunc(at.hooks, func(h *hook) bool { return !h.options.Match.ExcludesCall(at.info, c) })
}
