package engine

import (
	"context"
	"slices"
	"time"

	"github.com/luahook/luahook/hooks"
)

// Bounds of what on_error is told of the hooks of one event.
const (
	maxFailures = 8               // that it is fired for
	failureTime = 5 * time.Second // for all of them
)

// failureKey is the key under which the context of an on_error that tells of a hook's failure
// has its failureMark: whatever fails within it is not told of again.
type failureKey struct{}

type failureMark struct {
	engine *Engine
	late   bool // fired by an async hook's run, which Close waits for
}

// noteFailure keeps the failure of a hook, or of an observer, for tellFailures. Parallel runs
// may do so at once.
func (f *firing) noteFailure(failure *hooks.Error) {
	f.failing.Lock()
	defer f.failing.Unlock()
	if len(f.failures) < maxFailures && f.event.Event != hooks.OnError {
		f.failures = append(f.failures, failure)
	}
}

// tellFailures fires on_error for each failure of a hook in this event, once its own hooks are
// done. What the hooks of on_error have to say to the model and to the user joins what this
// event's have said. Where the caller has given up, hooks have failed for that, and nobody waits.
func (f *firing) tellFailures(late bool) {
	e, caller := f.engine, f.context.Context
	if len(f.failures) == 0 || caller.Err() != nil {
		return
	}
	at := f.plan.at(hooks.OnError)
	if e.options.onError == nil && f.plan.projects == nil && len(at.entries) == 0 {
		return
	}
	if mark, _ := caller.Value(failureKey{}).(failureMark); mark.engine == e {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithValue(caller, failureKey{}, failureMark{e, late}), failureTime)
	defer cancel()
	f.outcomes()
	for _, failure := range f.failures {
		event := f.errorEvent(failure)
		told := context.WithValue(ctx, reportKey{}, report{event, failure})
		r, err := e.fire(told, event, f.plan, at, time.Now()) // while this event lasts, Close waits
		if ctx.Err() != nil {
			f.warn("on_error was cut off after %s: its hooks take too long to be told of all that has failed", failureTime)
			break
		}
		if err != nil {
			f.warn("on_error: %s", err)
			continue
		}
		said := &hooks.Result{Contexts: r.Contexts, SystemMessage: r.SystemMessage}
		for _, warning := range r.Warnings {
			if !slices.Contains(f.plan.warnings, warning) && !slices.Contains(f.result.Warnings, warning) {
				said.Warnings = append(said.Warnings, warning)
			}
		}
		hooks.Merge(&f.result, "", said)
	}
}

// errorEvent is the on_error event of a failure. The tool call isn't in it: it has not failed.
func (f *firing) errorEvent(failure *hooks.Error) *hooks.Context {
	c := f.event
	event := &hooks.Context{
		Event: hooks.OnError, SessionID: c.SessionID, RunID: c.RunID, IssueID: c.IssueID,
		AgentID: c.AgentID, ParentAgentID: c.ParentAgentID, AgentDepth: c.AgentDepth, CWD: c.CWD, Model: c.Model,
		Error: &hooks.ErrorInfo{
			Message: failure.Brief(), Kind: hooks.ErrorOfHook, Hook: failure.Hook, Source: failure.Source, Event: c.Event,
		},
	}
	if name, ok := c.Fields["agent_name"].(string); ok {
		event.Fields = map[string]any{"agent_name": name}
	}
	return event
}
