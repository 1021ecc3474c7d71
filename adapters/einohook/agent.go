package einohook

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
)

// handler is what an agent's Handlers have.
type handler struct {
	*adk.BaseChatModelAgentMiddleware
	*hook
}

// turn is what the agents of one run share.
type turn struct {
	run    *adapter.Run // of Run; nil without it
	prompt string

	mu      sync.Mutex
	halted  *string
	agents  map[string]bool // those of which hooks have heard, by name
	begun   map[*agent]bool // those that have not ended
	history []*schema.Message
	last    string // what the last of the top agents has answered, and its name
	speaker string
}

func (t *turn) halt(reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.halted == nil {
		t.halted = &reason
	}
	if t.run != nil {
		t.run.Halt(reason)
	}
}

func (t *turn) isHalted() (reason string, halted bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.halted == nil {
		return "", false
	}
	return *t.halted, true
}

// see reports whether hooks had heard of the agent before.
func (t *turn) see(agent string) (before bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before = t.agents[agent]
	if t.agents == nil {
		t.agents = map[string]bool{}
	}
	t.agents[agent] = true
	return before
}

// agent is one agent on its way, from BeforeAgent to AfterAgent.
type agent struct {
	hook   *hook
	turn   *turn
	parent *agent // nil: nobody has called it as a tool
	name   string
	caller engine.Caller
	ended  sync.Once

	mu    sync.Mutex
	added string          // context of hooks that the model has not been given yet
	tools map[string]bool // by name; true for those that are agents
}

func (a *agent) unknown(tool string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, known := a.tools[tool]
	if !known {
		a.tools[tool] = false // to warn of it once
	}
	return !known
}

func (a *agent) isAgent(tool string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tools[tool]
}

func (a *agent) end(ctx context.Context, response string) {
	a.ended.Do(func() {
		a.turn.mu.Lock()
		delete(a.turn.begun, a)
		a.turn.mu.Unlock()
		a.hook.adapter.EndAgent(engine.WithCaller(ctx, a.caller), response)
	})
}

type (
	turnKey  struct{}
	agentKey struct{}
	belowKey struct{}
)

// below is what the call of a tool that is an agent hears of that agent.
type below struct {
	seen  atomic.Bool
	agent atomic.Pointer[agent]
}

func turnFrom(ctx context.Context) *turn {
	t, _ := ctx.Value(turnKey{}).(*turn)
	return t
}

func agentFrom(ctx context.Context) *agent {
	a, _ := ctx.Value(agentKey{}).(*agent)
	return a
}

// agentName is the name of the agent that ctx is within, which Eino has in its addresses.
func agentName(ctx context.Context) string {
	address := compose.GetCurrentAddress(ctx)
	for i := len(address) - 1; i >= 0; i-- {
		if address[i].Type == adk.AddressSegmentAgent {
			return address[i].ID
		}
	}
	return ""
}

// BeforeAgent fires pre_agent, or subagent_start below another agent. Where the run is resumed,
// that was done before.
func (h *handler) BeforeAgent(ctx context.Context, run *adk.ChatModelAgentContext) (context.Context, *adk.ChatModelAgentContext, error) {
	parent, t, name := agentFrom(ctx), turnFrom(ctx), agentName(ctx)
	if t == nil {
		t = &turn{}
		ctx = context.WithValue(ctx, turnKey{}, t)
	}
	t.see(name)
	ctx = h.adapter.Context(ctx, func(c *engine.Caller) {
		if parent != nil {
			*c = adapter.SubCaller(*c, name, name)
			return
		}
		if c.AgentID == "" {
			c.AgentID = name
		}
		c.AgentName = name
	})
	a := &agent{hook: h.hook, turn: t, parent: parent, name: name, caller: engine.CallerFrom(ctx), tools: map[string]bool{}}
	for _, t := range run.Tools {
		info, err := t.Info(ctx)
		if err != nil {
			return ctx, run, err
		}
		a.tools[info.Name] = isAgentTool(t)
	}
	ctx = context.WithValue(ctx, agentKey{}, a)
	prompt := ""
	if parent == nil {
		prompt = t.prompt
	}
	if resumed, _, _ := compose.GetInterruptState[any](ctx); !resumed {
		added, err := h.adapter.BeginAgent(ctx, prompt)
		if err != nil {
			return ctx, run, err
		}
		a.added = added
	}
	t.mu.Lock()
	if t.begun == nil {
		t.begun = map[*agent]bool{}
	}
	t.begun[a] = true
	t.mu.Unlock()
	if b, ok := ctx.Value(belowKey{}).(*below); ok {
		b.seen.Store(true)
		b.agent.Store(a)
	}
	return ctx, run, nil
}

// isAgentTool reports whether a tool is what adk.NewAgentTool makes, which has no exported type.
func isAgentTool(t tool.BaseTool) bool {
	return strings.HasPrefix(fmt.Sprintf("%T", t), "*adk.typedAgentTool[")
}

// AfterAgent fires post_agent, or subagent_stop below another agent. Eino doesn't call it where
// the agent fails; then Run fires the event, or the call of the agent as a tool.
func (h *handler) AfterAgent(ctx context.Context, s *adk.ChatModelAgentState) (context.Context, error) {
	a := agentFrom(ctx)
	if a == nil {
		return ctx, nil
	}
	response := ""
	if n := len(s.Messages); n > 0 {
		response = textOf(s.Messages[n-1])
	}
	a.end(ctx, response)
	if a.parent == nil {
		a.turn.mu.Lock()
		a.turn.history, a.turn.last, a.turn.speaker = s.Messages, response, a.name
		a.turn.mu.Unlock()
	}
	return ctx, nil
}

// BeforeModelRewriteState gives the model what hooks have added for the agent. Eino keeps it with
// the conversation.
func (h *handler) BeforeModelRewriteState(ctx context.Context, s *adk.ChatModelAgentState, _ *adk.ModelContext) (context.Context, *adk.ChatModelAgentState, error) {
	a := agentFrom(ctx)
	if a == nil {
		return ctx, s, nil
	}
	a.mu.Lock()
	added := a.added
	a.added = ""
	a.mu.Unlock()
	if added == "" {
		return ctx, s, nil
	}
	next := *s
	next.Messages = append(s.Messages[:len(s.Messages):len(s.Messages)], schema.UserMessage(added))
	return ctx, &next, nil
}
