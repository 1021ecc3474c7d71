package mcphook

import (
	"context"
	"reflect"
	"runtime"
	"strings"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Option is a setting of [Server] and [Client].
type Option = adapter.Option

// Message is what hooks say to people.
type Message = adapter.Message

// WithCaller says of the caller what a session doesn't, such as the working folder.
func WithCaller(c engine.Caller) Option { return adapter.WithCaller(c) }

// WithBlockingAsk has the function of [engine.WithAsk] answer where a hook asks, in place of the
// client's elicitation.
func WithBlockingAsk() Option { return adapter.WithBlockingAsk() }

// WithToolKinds says by name what tools do that luahook's table of names doesn't know.
func WithToolKinds(kinds map[string]hooks.Kind) Option { return adapter.WithToolKinds(kinds) }

// WithMessages hands over what hooks say to the user, and warnings. tell may be called from
// several goroutines at once, and must return soon.
func WithMessages(tell func(ctx context.Context, m Message)) Option {
	return adapter.WithMessages(tell)
}

// warnUnlessInnermost tells that another middleware stands between the hooks and the tools. One
// is known by where its function was written: the SDK's own are no others.
func warnUnlessInnermost(a *adapter.Adapter, next mcp.MethodHandler) {
	name := "an unknown function"
	if f := runtime.FuncForPC(reflect.ValueOf(next).Pointer()); f != nil {
		name = f.Name()
	}
	if !strings.Contains(name, "github.com/modelcontextprotocol/go-sdk/mcp.") {
		a.Warn(context.Background(), hooks.PreToolCall,
			"the middleware %s was added before luahook's: it can change a call that hooks have judged, and an output before they see it; add luahook's first", name)
	}
}
