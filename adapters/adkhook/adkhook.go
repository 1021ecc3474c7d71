// Package adkhook puts agents of Google's Agent Development Kit (google.golang.org/adk/v2) under
// luahook: [Plugin] goes into a runner's PluginConfig, and every tool call, model call, agent,
// prompt and run of that runner is an event of the engine from then on.
//
// Hooks see the input that the tool gets, and its output before anything else does: the plugin
// puts itself around the tools of each request. Tools of agents that an agent tool runs in a
// runner of its own are judged too. [Tool] is for the tools that a plugin can't reach.
package adkhook

import (
	"context"
	"sync"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/plugin"
)

// Option is a setting of [Plugin] and [Tool].
type Option = adapter.Option

// Message is what hooks say to people.
type Message = adapter.Message

// WithCaller says of the caller what ADK doesn't know, such as the working folder.
func WithCaller(c engine.Caller) Option { return adapter.WithCaller(c) }

// WithBlockingAsk has the function of [engine.WithAsk] or [engine.AskWith] answer where a hook
// asks, while the call waits. Without it the call requests a confirmation of ADK.
func WithBlockingAsk() Option { return adapter.WithBlockingAsk() }

// WithoutModelEvents fires no event for calls of the model.
func WithoutModelEvents() Option { return adapter.WithoutModelEvents() }

// WithStreamsPassedThrough hands on what a streaming tool says while it speaks: hooks of
// post_tool_call see it when it is over, and can't replace it any more.
func WithStreamsPassedThrough() Option { return adapter.WithStreamsPassedThrough() }

// WithToolKinds says by name what tools do that luahook's table of names doesn't know.
func WithToolKinds(kinds map[string]hooks.Kind) Option { return adapter.WithToolKinds(kinds) }

// WithMessages hands over what hooks say to the user, and warnings.
func WithMessages(tell func(ctx context.Context, m Message)) Option {
	return adapter.WithMessages(tell)
}

// Plugin is luahook as a plugin, for the PluginConfig of a runner or of a launcher. It has to be
// the first one of Plugins: one before it that answers for a tool or a model hides that from
// hooks, and [WithMessages] gets a warning where this is seen. One plugin may serve several
// runners. Of a nil engine every call of a tool is refused.
//
// A hook that denies run_start, pre_prompt or session_start ends the run with an
// [*engine.DeniedError]; one that denies a model call or an agent answers in its place.
func Plugin(e *engine.Engine, o ...Option) *plugin.Plugin { return newGuard(e, o).plugin() }

func (g *guard) plugin() *plugin.Plugin {
	p, err := plugin.New(plugin.Config{
		Name:                  "luahook",
		OnUserMessageCallback: g.userMessage,
		BeforeRunCallback:     g.beforeRun,
		AfterRunCallback:      g.afterRun,
		BeforeAgentCallback:   g.beforeAgent,
		AfterAgentCallback:    g.afterAgent,
		BeforeModelCallback:   g.beforeModel,
		AfterModelCallback:    g.afterModel,
		OnModelErrorCallback:  g.modelError,
		BeforeToolCallback:    g.pluginBeforeTool,
		AfterToolCallback:     g.pluginAfterTool,
		OnToolErrorCallback:   g.pluginToolError,
	})
	if err != nil { // of a configuration that is always the same
		panic(err)
	}
	return p
}

// guard connects an engine with runners.
type guard struct {
	a *adapter.Adapter

	mu      sync.Mutex
	runs    map[string][]*run            // by invocation id: that of a run that goes on is used again
	parents map[string]map[string]string // by app: an agent, and the one above it
	adopted map[agent.Context]*guard     // calls of a tool of [Tool] that a plugin has the run of
}

func newGuard(e *engine.Engine, o []Option) *guard {
	return &guard{
		a:       adapter.New(e, o...),
		runs:    map[string][]*run{},
		parents: map[string]map[string]string{},
		adopted: map[agent.Context]*guard{},
	}
}

// scene is what the contexts of ADK's callbacks say about who calls.
type scene interface {
	context.Context
	AppName() string
	SessionID() string
	InvocationID() string
	AgentName() string
}

// invocation is the scene of a context that is no callback's.
type invocation struct{ agent.InvocationContext }

func (i invocation) AppName() string   { return i.Session().AppName() }
func (i invocation) SessionID() string { return i.Session().ID() }
func (i invocation) AgentName() string {
	if a := i.Agent(); a != nil {
		return a.Name()
	}
	return ""
}

// context is a context with the caller of a scene.
func (g *guard) context(s scene) context.Context {
	return g.a.Context(s, func(c *engine.Caller) {
		name := s.AgentName()
		if in := g.insideOf(s); in != nil {
			*c = adapter.SubCaller(in.callerOf(), name, name)
			return
		}
		if c.SessionID == "" {
			c.SessionID = s.SessionID()
		}
		if c.RunID == "" {
			c.RunID = s.InvocationID()
		}
		above := g.above(s.AppName(), name)
		c.AgentID, c.AgentName = name, name
		c.AgentDepth += len(above)
		if len(above) > 0 {
			c.ParentAgentID = above[0]
		}
	})
}

// learn keeps who stands above whom in a tree of agents. It is kept over runs, because a later
// one may begin at an agent in the middle.
func (g *guard) learn(app string, a agent.Agent) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.parents[app] == nil {
		g.parents[app] = map[string]string{}
	}
	g.learnBelow(g.parents[app], a)
}

func (g *guard) learnBelow(parents map[string]string, a agent.Agent) {
	if a == nil {
		return
	}
	for _, sub := range a.SubAgents() {
		if parents[sub.Name()] != a.Name() {
			parents[sub.Name()] = a.Name()
		}
		g.learnBelow(parents, sub)
	}
}

// above are the agents above one, the next one first.
func (g *guard) above(app, name string) (list []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	parents := g.parents[app]
	for name = parents[name]; name != "" && len(list) < 100; name = parents[name] {
		list = append(list, name)
	}
	return list
}
