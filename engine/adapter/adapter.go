// Package adapter is what the adapters of agent frameworks share: their options, and the events
// around tools, models, agents and runs. It is for those who write an adapter; who uses one
// needs the adapter alone. Package engine/adaptertest says what an adapter has to hold.
package adapter

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Adapter fires the events of one framework at one engine. All methods may be called from
// several goroutines at once.
type Adapter struct {
	engine   *engine.Engine
	settings settings
}

// New connects an engine. Of a nil engine every call of a tool is refused.
func New(e *engine.Engine, o ...Option) *Adapter {
	a := &Adapter{engine: e}
	for _, option := range o {
		if option != nil {
			option(&a.settings)
		}
	}
	return a
}

// Engine is the engine that New was given.
func (a *Adapter) Engine() *engine.Engine { return a.engine }

// Option is a setting of an adapter. Every adapter has the same.
type Option func(*settings)

type settings struct {
	caller       engine.Caller
	blockingAsk  bool
	noModel      bool
	streamsPass  bool
	kinds        map[string]hooks.Kind
	tellMessages func(ctx context.Context, m Message)
}

// WithCaller says of the caller what the framework doesn't know, such as the working folder.
// What the framework knows, and what [engine.WithCaller] says of one call, comes first.
func WithCaller(c engine.Caller) Option { return func(s *settings) { s.caller = c } }

// WithBlockingAsk has the function of [engine.WithAsk] or [engine.AskWith] answer where a hook
// asks, while the call waits, in place of the framework's own way to interrupt a run.
func WithBlockingAsk() Option { return func(s *settings) { s.blockingAsk = true } }

// WithoutModelEvents fires no event for calls of the model.
func WithoutModelEvents() Option { return func(s *settings) { s.noModel = true } }

// WithStreamsPassedThrough hands on what a streaming tool says while it speaks. Hooks of
// post_tool_call see it when it is over, and can't replace it any more. Without it a stream is
// held back where such a hook may be called, and passes through where none is.
func WithStreamsPassedThrough() Option { return func(s *settings) { s.streamsPass = true } }

// WithToolKinds says by name what tools do that luahook's table of names doesn't know.
func WithToolKinds(kinds map[string]hooks.Kind) Option {
	return func(s *settings) { s.kinds = maps.Clone(kinds) }
}

// Message is what hooks say to people.
type Message struct {
	Event   hooks.Event
	Text    string
	Warning bool // of something that went wrong without blocking, for who looks after the hooks; else it is for the user
}

// WithMessages hands over what hooks say to the user, and warnings. tell may be called from
// several goroutines at once, and must return soon.
func WithMessages(tell func(ctx context.Context, m Message)) Option {
	return func(s *settings) { s.tellMessages = tell }
}

// AsksNatively reports whether the framework's own way to ask is to be used.
func (a *Adapter) AsksNatively() bool { return !a.settings.blockingAsk }

// FiresModelEvents reports whether calls of the model are events.
func (a *Adapter) FiresModelEvents() bool { return !a.settings.noModel }

// HoldsStream reports whether what a streaming tool says is to be held back until hooks have
// seen it.
func (a *Adapter) HoldsStream(call hooks.ToolCall) bool {
	return !a.settings.streamsPass && a.engine.Listens(hooks.PostToolCall, a.kindOf(call))
}

// Context is a copy of ctx that carries the engine and the caller: the one of ctx, filled up by
// [WithCaller], as change leaves it.
func (a *Adapter) Context(ctx context.Context, change func(c *engine.Caller)) context.Context {
	c := a.caller(ctx)
	if change != nil {
		change(&c)
	}
	return engine.NewContext(engine.WithCaller(ctx, c), a.engine)
}

// caller is the one of ctx, filled up.
func (a *Adapter) caller(ctx context.Context) engine.Caller {
	c, base := engine.CallerFrom(ctx), &a.settings.caller
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&c.SessionID, base.SessionID}, {&c.RunID, base.RunID}, {&c.IssueID, base.IssueID}, {&c.AgentID, base.AgentID},
		{&c.ParentAgentID, base.ParentAgentID}, {&c.AgentName, base.AgentName}, {&c.CWD, base.CWD}, {&c.Model, base.Model},
	} {
		if *field.to == "" {
			*field.to = field.from
		}
	}
	if c.AgentDepth == 0 {
		c.AgentDepth = base.AgentDepth
	}
	if len(base.Metadata) > 0 {
		all := maps.Clone(base.Metadata)
		maps.Copy(all, c.Metadata)
		c.Metadata = all
	}
	return c
}

// Event is a new event of ctx's caller.
func (a *Adapter) Event(ctx context.Context, name hooks.Event) *hooks.Context {
	event := a.caller(ctx).Event(name)
	event.Fields = map[string]any{}
	return event
}

// Fire fires an event and tells what its hooks say to people. The error is an
// [*engine.DeniedError]: the event must not happen. The result is shared: don't change it.
func (a *Adapter) Fire(ctx context.Context, event *hooks.Context) (*hooks.Result, error) {
	r, err := a.engine.Fire(ctx, event)
	a.tell(ctx, event.Event, r)
	return r, engine.Denial(r, err)
}

// Observe fires an event that tells of what has happened, also where ctx is done by then, with
// some seconds for its hooks.
func (a *Adapter) Observe(ctx context.Context, event *hooks.Context) *hooks.Result {
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
	}
	r, _ := a.Fire(ctx, event)
	return r
}

// ReportError fires on_error for ctx's caller; see [engine.Engine.ReportError].
func (a *Adapter) ReportError(ctx context.Context, err error, edit ...func(c *hooks.Context)) {
	ctx = engine.WithCaller(ctx, a.caller(ctx))
	r, _ := a.engine.ReportError(ctx, err, edit...)
	if r != nil {
		a.tell(ctx, hooks.OnError, r)
	}
}

// BeginTool is [engine.Engine.BeginTool] with the adapter's settings.
func (a *Adapter) BeginTool(ctx context.Context, call hooks.ToolCall) *engine.ToolRun {
	ctx = engine.WithCaller(ctx, a.caller(ctx))
	return a.engine.BeginTool(ctx, a.kindOf(call), engine.ToolResults(a.tell))
}

func (a *Adapter) kindOf(call hooks.ToolCall) hooks.ToolCall {
	if call.Kind == "" {
		call.Kind = a.settings.kinds[call.Name]
	}
	return call
}

// Warn tells that something doesn't work as its user may think.
func (a *Adapter) Warn(ctx context.Context, event hooks.Event, format string, args ...any) {
	if a.settings.tellMessages != nil {
		a.settings.tellMessages(ctx, Message{Event: event, Text: fmt.Sprintf(format, args...), Warning: true})
	}
}

// tell hands over what a result has for people.
func (a *Adapter) tell(ctx context.Context, event hooks.Event, r *hooks.Result) {
	tell := a.settings.tellMessages
	if tell == nil || r == nil {
		return
	}
	if r.SystemMessage != "" {
		tell(ctx, Message{Event: event, Text: r.SystemMessage})
	}
	for _, warning := range r.Warnings {
		tell(ctx, Message{Event: event, Text: warning, Warning: true})
	}
}

// DecodeInput reads the arguments of a tool, a JSON object; nothing and null are an empty one.
// The error, an [*hooks.InputError], is for what no hook could judge: other JSON, and a key that
// appears twice.
func DecodeInput(arguments []byte) (map[string]any, error) {
	if text := strings.TrimSpace(string(arguments)); text == "" || text == "null" {
		return map[string]any{}, nil
	}
	if len(arguments) > hooks.MaxEventBytes {
		return nil, &hooks.InputError{Field: "tool_call.input", Offset: -1, Message: "it is larger than 16 MiB"}
	}
	value, err := hooks.DecodeJSON(arguments)
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, &hooks.InputError{Field: "tool_call.input", Offset: -1, Message: "want a JSON object"}
	}
	return object, nil
}
