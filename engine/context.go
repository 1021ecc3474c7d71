package engine

import (
	"context"
	"errors"
	"maps"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/misuse"
)

// ErrNoEngine is the error of a tool of [WrapTool] that is called with a context that
// has no engine. The tool doesn't run.
var ErrNoEngine = errors.New("luahook: the context has no engine, so no hook could judge this; put one in with engine.NewContext")

type (
	engineKey   struct{}
	callerKey   struct{}
	toolCallKey struct{}
)

// with is a copy of a context with a value; nil is as context.Background is.
func with(ctx context.Context, key, value any) context.Context {
	return context.WithValue(misuse.OrBackground(ctx), key, value)
}

// valueOf is a value that a context carries, of whatever type; the zero value where it
// carries none.
func valueOf[T any](ctx context.Context, key any) (value T) {
	if ctx != nil {
		value, _ = ctx.Value(key).(T)
	}
	return value
}

// NewContext returns a copy of ctx that carries the engine, for [FromContext] and
// [WrapTool].
func NewContext(ctx context.Context, e *Engine) context.Context { return with(ctx, engineKey{}, e) }

// FromContext is the engine that ctx carries. ok is false where there is none.
func FromContext(ctx context.Context) (e *Engine, ok bool) {
	e = valueOf[*Engine](ctx, engineKey{})
	return e, e != nil
}

// Caller says who is calling: it fills in the fields of the same names of the events
// that wrapped tools and [Engine.ReportError] fire.
type Caller struct {
	SessionID     string
	RunID         string
	IssueID       string
	AgentID       string
	ParentAgentID string
	AgentDepth    int // 0 for the top agent
	AgentName     string
	CWD           string // the agent's working folder, absolute
	Model         string
	Metadata      map[string]any // don't change it once it is in a context
}

// WithCaller returns a copy of ctx that says who is calling. It replaces what ctx said
// before: a subagent starts from [CallerFrom] to keep what stays.
func WithCaller(ctx context.Context, c Caller) context.Context { return with(ctx, callerKey{}, c) }

// CallerFrom is who is calling, as [WithCaller] said; the zero value where it didn't.
func CallerFrom(ctx context.Context) Caller { return valueOf[Caller](ctx, callerKey{}) }

// WithToolCallID returns a copy of ctx that carries the model's id of the tool call
// that is about to be made with it, for the events of the wrapped tool.
func WithToolCallID(ctx context.Context, id string) context.Context {
	return with(ctx, toolCallKey{}, id)
}

func toolCallID(ctx context.Context) string { return valueOf[string](ctx, toolCallKey{}) }

// Event is a new event of that caller, for [Engine.Fire]: what is special to it is still to be
// filled in.
func (c Caller) Event(name hooks.Event) *hooks.Context {
	return &hooks.Context{
		Event: name, SessionID: c.SessionID, RunID: c.RunID, IssueID: c.IssueID,
		AgentID: c.AgentID, ParentAgentID: c.ParentAgentID, AgentDepth: c.AgentDepth, AgentName: c.AgentName,
		CWD: c.CWD, Model: c.Model, Metadata: maps.Clone(c.Metadata),
	}
}
