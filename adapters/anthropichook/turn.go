package anthropichook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// RunContext is a copy of ctx for one tool runner that its user steps by hand, with tools of
// [Tools] and requests through [Middleware]: calls of tools get their ids, and a hook that halts
// ends the turn, because the next request is answered in the model's place, with the reason.
// [Run] and [RunStreaming] have it already.
func RunContext(ctx context.Context) context.Context { return withTurn(ctx, &turn{}) }

// turn is what the tools and the model calls of one runner know of each other. A nil one knows
// nothing.
type turn struct {
	parent *turn        // of the agent whose tool has started this one
	run    *adapter.Run // nil: nobody counts what it uses

	mu     sync.Mutex
	ids    map[string][]string // of the tool calls in the model's last answer that have not begun
	halted *engine.DeniedError
	denied bool // the last request was answered in the model's place
}

type (
	turnKey     struct{}
	toolCallKey struct{}
)

func withTurn(ctx context.Context, t *turn) context.Context {
	return context.WithValue(ctx, turnKey{}, t)
}

func turnOf(ctx context.Context) *turn {
	t, _ := ctx.Value(turnKey{}).(*turn)
	return t
}

// toolCall is the call of a tool, in the context of its body.
type toolCall struct {
	tool string
	id   string
	turn *turn
}

// insideTool is the context of a tool's body. Requests that the body makes itself are none of the
// turn's.
func insideTool(ctx context.Context, call toolCall) context.Context {
	return withTurn(context.WithValue(ctx, toolCallKey{}, call), nil)
}

func toolCallOf(ctx context.Context) (call toolCall, inside bool) {
	call, inside = ctx.Value(toolCallKey{}).(toolCall)
	return call, inside
}

// begin notes that a request begins: the calls of the answer before it have begun, or never will.
func (t *turn) begin() (halted *engine.DeniedError) {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids, t.denied = nil, false
	return t.halted
}

// answered takes the model's answer: what it has used, and the ids of its calls, of which the
// tools themselves aren't told.
func (t *turn) answered(m *anthropic.BetaMessage, usage *hooks.Usage) {
	if t == nil {
		return
	}
	if t.run != nil {
		t.run.Add(usage)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids = map[string][]string{}
	for _, b := range m.Content {
		if b.Type != "tool_use" {
			continue
		}
		use := b.AsToolUse()
		input, err := json.Marshal(use.Input) // as the runner does
		if err == nil {
			key := use.Name + " " + string(input)
			t.ids[key] = append(t.ids[key], use.ID)
		}
	}
}

// take is the id of a call that begins; "" where it isn't known.
func (t *turn) take(name string, input json.RawMessage) string {
	if t == nil {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	key := name + " " + string(input)
	list := t.ids[key]
	if len(list) == 0 {
		return ""
	}
	t.ids[key] = list[1:]
	return list[0]
}

// halt ends the turn, and those of the agents above. The first one counts.
func (t *turn) halt(why *engine.DeniedError) {
	for ; t != nil; t = t.parent {
		t.mu.Lock()
		if t.halted == nil {
			t.halted = why
		}
		t.mu.Unlock()
	}
}

// deny notes that hooks have answered a request.
func (t *turn) deny() {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.denied = true
	}
}

// state is what has become of the turn.
func (t *turn) state() (halted *engine.DeniedError, denied bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.halted, t.denied
}

// haltOf is why a tool call ends the turn.
func haltOf(answer *engine.ToolAnswer) *engine.DeniedError {
	why := &engine.DeniedError{Event: hooks.PreToolCall, Reason: answer.StopReason, Halt: true}
	if refused := (*engine.ToolError)(nil); errors.As(answer.Err, &refused) {
		why.Reason = cmp.Or(why.Reason, refused.Message)
		if why.Result = refused.Result; why.Result != nil {
			why.Event = why.Result.Summary().Event
		}
	}
	return why
}
