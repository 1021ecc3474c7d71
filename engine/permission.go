package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/luahook/luahook/hooks"
)

// AskFunc puts a hook's ask to a person: may this event happen? event is what would
// happen, with all rewrites in it, and r.Reason why a hook asks. true lets it happen.
// event and r are shared: don't change them. [ErrSuspended] says that the answer comes later, in
// a call that is begun again.
//
// It may wait as long as ctx lets it, and may be called from several goroutines at
// once.
type AskFunc func(ctx context.Context, event *hooks.Context, r *hooks.Result) (bool, error)

// WithAsk says who answers where a hook asks about a tool call ([Engine.WrapTool],
// [ToolRun.Do]). Without it, and where it returns an error or panics, an ask is a deny.
// [Engine.Fire] never calls it: its caller gets the ask in the result. [AskWith] says it for
// the calls of one context.
func WithAsk(ask AskFunc) Option {
	return func(o *options) error {
		if ask == nil {
			return errors.New("WithAsk: the function is nil")
		}
		o.ask = ask
		return nil
	}
}

type askKey struct{}

// AskWith returns a copy of ctx with who answers, for the tool calls that are made with it, in
// place of the function of [WithAsk]. nil: nobody does.
func AskWith(ctx context.Context, ask AskFunc) context.Context { return with(ctx, askKey{}, ask) }

// errNobodyToAsk is why an ask without an [AskFunc] is a deny.
var errNobodyToAsk = errors.New("there is nobody to ask")

// ask puts the call to the embedder. A yes that came when ctx was done counts as none.
func (r *ToolRun) ask(ctx context.Context) {
	yes, err := r.engine.ask(ctx, r.event, r.pre)
	switch {
	case errors.Is(err, ErrSuspended):
		r.Suspend()
	case err != nil:
		r.Unanswered(ctx, err)
	case yes:
		r.Allow()
	default:
		r.Refuse(ctx, "")
	}
}

// ask calls the function of ctx, or the engine's.
func (e *Engine) ask(ctx context.Context, event *hooks.Context, r *hooks.Result) (yes bool, err error) {
	ask, own := ctx.Value(askKey{}).(AskFunc)
	if !own {
		ask = e.options.ask
	}
	if ask == nil {
		return false, errNobodyToAsk
	}
	defer func() {
		if p := recover(); p != nil {
			yes, err = false, fmt.Errorf("the function of WithAsk panicked: %v", p)
			e.logPanic(ctx, "WithAsk", p)
		}
	}()
	yes, err = ask(ctx, event, r)
	if err == nil {
		err = ctx.Err()
	}
	return yes && err == nil, err
}

// unanswered is what the model reads of an ask without a yes or a no.
func unanswered(reason string, err error) string {
	if errors.Is(err, errNobodyToAsk) {
		return withReason("a person would have to allow this, and there is nobody to ask", reason)
	}
	return withReason("a person would have to allow this, and asking failed ("+err.Error()+")", reason)
}

func withReason(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + ": " + reason
}

// requestPermission tells hooks that a person is about to be asked, and takes their answer for
// the person's where it is one.
func (r *ToolRun) requestPermission(ctx context.Context) {
	if r.event.ToolCall.Resumed {
		return
	}
	result, err := r.engine.Fire(ctx, r.about(hooks.PermissionRequest, r.pre.Reason))
	r.handOver(ctx, result)
	switch {
	case result.Block:
		r.deny(ctx, result.Reason, err)
	case err != nil:
		r.deny(ctx, "its call can't be judged: "+err.Error(), err)
	case result.Decision == hooks.Allow && rankOf(result, hooks.Allow) <= rankOf(r.pre, hooks.Ask):
		r.Allow()
	}
}

// rankOf is the rank of the highest scope with a hook that has decided so; -1 where none has.
func rankOf(r *hooks.Result, d hooks.Decision) int {
	rank := -1
	for _, run := range r.Summary().Runs {
		if run.Decision == d && (rank < 0 || run.Scope.Rank() < rank) {
			rank = run.Scope.Rank()
		}
	}
	return rank
}

// deny refuses a call that asks, and tells hooks so.
func (r *ToolRun) deny(ctx context.Context, message string, err error) {
	r.refuse(r.pre, message, err)
	ctx, cancel := outlasting(ctx)
	defer cancel()
	result, _ := r.engine.Fire(ctx, r.about(hooks.PermissionDenied, message)) // which nothing can change any more
	r.handOver(ctx, result)
}

// about is an event about the permission for the call.
func (r *ToolRun) about(name hooks.Event, reason string) *hooks.Context {
	event := *r.event
	event.Event = name
	event.Fields = maps.Clone(event.Fields)
	if event.Fields == nil {
		event.Fields = map[string]any{}
	}
	event.Fields["reason"] = reason
	return &event
}
