package anthropichook

import (
	"context"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// Option is a setting of [Run], [RunStreaming], [Tools] and [Middleware].
type Option = adapter.Option

// Message is what hooks say to people.
type Message = adapter.Message

// WithCaller says of the caller what the SDK doesn't know: the session, the agent's name, the
// working folder. What [engine.WithCaller] says of one context comes first.
func WithCaller(c engine.Caller) Option { return adapter.WithCaller(c) }

// WithoutModelEvents fires no event for calls of the model.
func WithoutModelEvents() Option { return adapter.WithoutModelEvents() }

// WithToolKinds says by name what tools do that luahook's table of names doesn't know.
func WithToolKinds(kinds map[string]hooks.Kind) Option { return adapter.WithToolKinds(kinds) }

// WithMessages hands over what hooks say to the user, and warnings. tell may be called from
// several goroutines at once, and must return soon.
func WithMessages(tell func(ctx context.Context, m Message)) Option {
	return adapter.WithMessages(tell)
}
