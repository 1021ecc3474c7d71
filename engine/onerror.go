package engine

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"
	"time"

	"github.com/luahook/luahook/hooks"
)

// AgentError is an error of an agent, as the function of [WithOnError] gets it.
type AgentError struct {
	Message   string
	Kind      string // "timeout", "network", "cancelled", "denied", "panic", "hook" ..., or the host's own word
	Retryable bool   // whether trying again makes sense
	Err       error  // what [Engine.ReportError] was given, or the [*hooks.Error] of a hook that has failed; nil where the event was fired by hand
	AgentID   string
	Model     string
	Event     *hooks.Context // the on_error event with all the rest; shared, don't change it
}

// OnErrorFunc is told of an agent's errors. It runs before the hooks of on_error, on
// the goroutine that reports; it should return soon. It may be called from several
// goroutines at once. A panic of it is logged.
type OnErrorFunc func(ctx context.Context, err AgentError)

// WithOnError says who is told of the agent's errors, beside the hooks of on_error:
// once for each [Engine.ReportError], for each on_error that is fired with
// [Engine.Fire], and for each hook that has failed, up to 8 of an event, whose Kind is "hook";
// but for hooks of on_error, and those of events that hooks of such an on_error set off. What the function reports itself, with its own ctx, goes to the hooks
// alone.
func WithOnError(tell OnErrorFunc) Option {
	return func(o *options) error {
		if tell == nil {
			return errors.New("WithOnError: the function is nil")
		}
		o.onError = tell
		return nil
	}
}

// ReportError fires on_error for an error of the agent that ctx names ([WithCaller]),
// and tells the function of [WithOnError]. The event's error has the message, and the
// kind and is_retryable that follow from err:
//
//   - a method Retryable() bool or IsRetryable() bool of an error in err's chain
//     decides whether a retry makes sense;
//   - else a time that was over (context.DeadlineExceeded, a network timeout) is
//     "timeout", and a failed connection or look-up "network"; both can be tried again
//     (but for a name that doesn't exist);
//   - context.Canceled is "cancelled", a tool that its hooks did not let run "denied", a
//     panic "panic", everything else "error"; none of them can.
//
// details may correct and complete the event before it is fired: c.Error.Kind =
// "rate_limit", c.Fields["attempt"] = 2. ctx may be done already: on_error is fired
// all the same, with a bound on its time. The result has what the hooks add, their
// contexts above all; on_error can't be blocked. The error is that of Fire, or says
// that err is nil.
func (e *Engine) ReportError(ctx context.Context, err error, details ...func(c *hooks.Context)) (*hooks.Result, error) {
	if err := e.checkUse(ctx); err != nil {
		return Unjudged(hooks.OnError, err), err
	}
	if err == nil {
		p := e.currentPlan()
		return p.noOpinion(p.at(hooks.OnError)), errors.New("luahook: ReportError: the error is nil")
	}
	event := CallerFrom(ctx).Event(hooks.OnError)
	if event.Fields == nil {
		event.Fields = map[string]any{}
	}
	event.Error = errorInfo(err)
	for _, detail := range details {
		if detail != nil {
			detail(event)
		}
	}
	event.Event = hooks.OnError
	ctx, cancel := outlasting(ctx)
	defer cancel()
	return e.Fire(context.WithValue(ctx, reportKey{}, report{event, err}), event)
}

// report connects an event that is being fired with the error that it is about.
type report struct {
	event *hooks.Context
	err   error
}

type (
	reportKey  struct{}
	tellingKey struct{} // in the context of the function that is told
)

// callOnError tells the function of WithOnError of an on_error event. Fire calls it with
// every event that it is given, before the hooks run. It reports whether there was anything to tell.
func (e *Engine) callOnError(ctx context.Context, c *hooks.Context, info *hooks.EventInfo) (called bool) {
	if e.options.onError == nil || info.Name != hooks.OnError || ctx.Value(tellingKey{}) == e { // the function reports an error of its own
		return false
	}
	from, _ := ctx.Value(reportKey{}).(report)
	told := AgentError{AgentID: c.AgentID, Model: c.Model, Event: c}
	if from.event == c {
		told.Err = from.err
	}
	if c.Error != nil {
		told.Message, told.Kind, told.Retryable = c.Error.Message, c.Error.Kind, c.Error.IsRetryable
	}
	e.protected(ctx, "WithOnError", func() {
		e.options.onError(context.WithValue(ctx, tellingKey{}, e), told)
	})
	return true
}

// errorInfo is what an event tells of an error; see ReportError.
func errorInfo(err error) *hooks.ErrorInfo {
	info := &hooks.ErrorInfo{Message: err.Error()}
	info.Kind, info.IsRetryable = classify(err)
	var (
		retryable   interface{ Retryable() bool }
		isRetryable interface{ IsRetryable() bool }
	)
	switch {
	case errors.As(err, &retryable):
		info.IsRetryable = retryable.Retryable()
	case errors.As(err, &isRetryable):
		info.IsRetryable = isRetryable.IsRetryable()
	}
	return info
}

// classify is what follows from the errors that Go itself and this package know.
func classify(err error) (kind string, retryable bool) {
	var (
		refused    *ToolError
		panicked   *PanicError
		lookup     *net.DNSError
		connection *net.OpError
		network    net.Error
	)
	switch {
	case errors.As(err, &panicked):
		return "panic", false
	case errors.As(err, &refused) && refused.Outcome == hooks.OutcomeDenied:
		return "denied", false
	case errors.Is(err, context.Canceled):
		return "cancelled", false
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return "timeout", true
	case errors.As(err, &lookup):
		return "network", !lookup.IsNotFound
	case errors.As(err, &connection):
		return "network", true
	}
	return "error", false
}

// failureKey is the key under which the context of an on_error that tells of a hook's failure
// has its failureMark: whatever fails within it is not told of again.
type failureKey struct{}

type failureMark struct {
	engine *Engine
	late   bool // fired by an async hook's run, which Close waits for
}

// fireOnError fires on_error for each failure of a hook in this event, once its own hooks are
// done. What the hooks of on_error have to say to the model and to the user joins what this
// event's have said. Where the caller has given up, hooks have failed for that, and nobody waits.
func (f *firing) fireOnError(late bool) {
	e, caller := f.engine, f.context.Context
	if len(f.failures) == 0 || caller.Err() != nil {
		return
	}
	at := f.plan.at(hooks.OnError)
	if e.options.onError == nil && f.plan.projects == nil && len(at.hooks) == 0 {
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
		r, err := e.fire(told, firings.Get().(*firing), event, f.plan, at, time.Now()) // while this event lasts, Close waits
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
	f.ended = f.look()
}

// errorEvent is the on_error event of a failure. The tool call isn't in it: it has not failed.
func (f *firing) errorEvent(failure *hooks.Error) *hooks.Context {
	c := f.event
	return &hooks.Context{
		Event: hooks.OnError, SessionID: c.SessionID, RunID: c.RunID, IssueID: c.IssueID,
		AgentID: c.AgentID, ParentAgentID: c.ParentAgentID, AgentDepth: c.AgentDepth, AgentName: c.AgentName, CWD: c.CWD, Model: c.Model,
		Error: &hooks.ErrorInfo{
			Message: failure.Brief(), Kind: hooks.ErrorOfHook, Hook: failure.Hook, Source: failure.Source, Event: c.Event,
		},
	}
}

// outlasting is a context for the events that have to be fired in any case. It has the
// values of ctx; where ctx is done, it ends 5 s later.
func outlasting(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-timer.C:
			cancel()
		case <-longer.Done():
		}
	})
	return longer, func() { stop(); cancel() }
}

// grace is what the events get that follow on something that is over, once the
// caller's own context is done.
const grace = 5 * time.Second
