package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/luahook/luahook/hooks"
)

// AskFunc puts a hook's ask to a person: may this event happen? event is what would
// happen, with all rewrites in it, and r.Reason why a hook asks. true lets it happen.
// event and r are shared: don't change them.
//
// It may wait as long as ctx lets it, and may be called from several goroutines at
// once.
type AskFunc func(ctx context.Context, event *hooks.Context, r *hooks.Result) (bool, error)

// WithAsk says who answers where a hook asks about the call of a wrapped tool
// ([WrapTool]). Without it, and where it returns an error or panics, an ask is a deny.
// [Engine.Fire] never calls it: its caller gets the ask in the result.
func WithAsk(ask AskFunc) Option {
	return func(o *options) error {
		if ask == nil {
			return errors.New("WithAsk: the function is nil")
		}
		o.ask = ask
		return nil
	}
}

// errNobodyToAsk is why an ask without an [AskFunc] is a deny.
var errNobodyToAsk = errors.New("there is nobody to ask")

// ask puts a result's ask to the embedder. The error says why there is no answer,
// which counts as a no; so does a yes that came when ctx was done.
func (e *Engine) ask(ctx context.Context, event *hooks.Context, r *hooks.Result) (yes bool, err error) {
	if e.options.ask == nil {
		return false, errNobodyToAsk
	}
	defer func() {
		if p := recover(); p != nil {
			yes, err = false, fmt.Errorf("the function of WithAsk panicked: %v", p)
			e.logPanic(ctx, "WithAsk", p)
		}
	}()
	yes, err = e.options.ask(ctx, event, r)
	if err == nil {
		err = ctx.Err()
	}
	return yes && err == nil, err
}
