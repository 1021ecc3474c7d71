package adkhook

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/platform"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/genai"
)

// A tool may run agents with a runner of its own, as agent tools do, and such a runner has none
// of the plugins. It does inherit the context that the tool was called with. So a tool is given a
// context with a task runner, by which ADK runs the tool calls of agents: it gives each of them a
// context whose plugins are those of the runner, with luahook before them.

// inside is what a context says of the tool call under which a runner runs.
type inside struct {
	guard  *guard
	run    *run
	base   context.Context               // of the outermost of such calls, for the task runner of its caller
	caller atomic.Pointer[engine.Caller] // of the call
	judged atomic.Bool                   // the hooks of a call below have been asked
	seen   agent.Context                 // of the call below, which luahook has seen before the plugins
}

type insideKey struct{}

// insideOf is the tool call that a context is below, of this engine.
func (g *guard) insideOf(ctx context.Context) *inside {
	if in, ok := ctx.Value(insideKey{}).(*inside); ok && in.guard.a.Engine() == g.a.Engine() {
		return in
	}
	return nil
}

func (in *inside) callerOf() engine.Caller { return *in.caller.Load() }

// context is a copy of ctx that is below the call.
func (in *inside) context(ctx context.Context) context.Context {
	return platform.WithTaskRunner(context.WithValue(ctx, insideKey{}, in), in.runTasks)
}

// below is the context for the body of a tool call, with the values and the end of c.
func (g *guard) below(ctx agent.Context, c context.Context, t tool.Tool) agent.Context {
	in := &inside{guard: g, run: g.runOf(ctx), base: c}
	if outer := g.insideOf(ctx); outer != nil {
		in.base = outer.base
	}
	in.caller.Store(new(engine.CallerFrom(c)))
	return &toolContext{Context: ctx, values: in.context(c), guard: g, tool: t.Name()}
}

// runTasks runs tool calls of agents below the call, as its caller's task runner does.
func (in *inside) runTasks(ctx context.Context, tasks []func(context.Context)) {
	own := make([]func(context.Context), len(tasks))
	for i, task := range tasks {
		own[i] = func(ctx context.Context) {
			below := &inside{guard: in.guard, run: in.run, base: in.base}
			below.caller.Store(in.caller.Load())
			task(&taskContext{below.context(ctx), below})
			if !below.judged.Load() {
				in.guard.a.Warn(ctx, hooks.PreToolCall, "an agent below %s has called a streaming tool that no hook has seen; put it into adkhook.Tool", in.callerOf().AgentName)
			}
		}
	}
	platform.RunTasks(&baseRunner{ctx, in.base}, own)
}

// baseRunner is a context with the task runner of another one.
type baseRunner struct {
	context.Context
	base context.Context
}

func (c *baseRunner) Value(key any) any {
	value := c.Context.Value(key)
	if _, ok := value.(platform.TaskRunner); ok {
		return c.base.Value(key)
	}
	return value
}

// taskContext is the context of one tool call of an agent below.
type taskContext struct {
	context.Context
	in *inside
}

func (c *taskContext) Value(key any) any {
	value := c.Context.Value(key)
	if m, ok := value.(pluginManager); ok {
		c.in.judged.Store(true)
		return &manager{m, c.in}
	}
	return value
}

// pluginManager is what ADK asks of the plugins that a context carries.
type pluginManager interface {
	RunBeforeAgentCallback(ctx agent.Context) (*genai.Content, error)
	RunAfterAgentCallback(ctx agent.Context) (*genai.Content, error)
	RunBeforeModelCallback(ctx agent.Context, req *model.LLMRequest) (*model.LLMResponse, error)
	RunAfterModelCallback(ctx agent.Context, resp *model.LLMResponse, err error) (*model.LLMResponse, error)
	RunOnModelErrorCallback(ctx agent.Context, req *model.LLMRequest, err error) (*model.LLMResponse, error)
	RunBeforeToolCallback(ctx agent.Context, t tool.Tool, args map[string]any) (map[string]any, error)
	RunAfterToolCallback(ctx agent.Context, t tool.Tool, args, result map[string]any, err error) (map[string]any, error)
	RunOnToolErrorCallback(ctx agent.Context, t tool.Tool, args map[string]any, err error) (map[string]any, error)
}

// manager has luahook before the plugins of a runner.
type manager struct {
	pluginManager
	in *inside
}

func (m *manager) RunBeforeToolCallback(ctx agent.Context, t tool.Tool, args map[string]any) (map[string]any, error) {
	m.in.seen = ctx
	if result, err := m.in.guard.beforeTool(ctx, t, args); result != nil || err != nil {
		return result, err
	}
	return m.pluginManager.RunBeforeToolCallback(ctx, t, args)
}

func (m *manager) RunAfterToolCallback(ctx agent.Context, t tool.Tool, args, result map[string]any, err error) (map[string]any, error) {
	if result, err := m.in.guard.afterTool(ctx, t, args, result, err); result != nil || err != nil {
		return result, err
	}
	return m.pluginManager.RunAfterToolCallback(ctx, t, args, result, err)
}

func (m *manager) RunOnToolErrorCallback(ctx agent.Context, t tool.Tool, args map[string]any, err error) (map[string]any, error) {
	m.in.seen = ctx
	if result, err := m.in.guard.toolError(ctx, t, args, err); result != nil || err != nil {
		return result, err
	}
	return m.pluginManager.RunOnToolErrorCallback(ctx, t, args, err)
}

// seen reports whether luahook has seen the call already, before the plugins of a runner that
// runs within a tool.
func (g *guard) seen(ctx agent.Context) bool {
	in := g.insideOf(ctx)
	return in != nil && in.seen == ctx
}

func (g *guard) pluginBeforeTool(ctx agent.Context, t tool.Tool, args map[string]any) (map[string]any, error) {
	if g.seen(ctx) {
		return nil, nil
	}
	return g.beforeTool(ctx, t, args)
}

func (g *guard) pluginAfterTool(ctx agent.Context, t tool.Tool, args, result map[string]any, err error) (map[string]any, error) {
	if g.seen(ctx) {
		return nil, nil
	}
	return g.afterTool(ctx, t, args, result, err)
}

func (g *guard) pluginToolError(ctx agent.Context, t tool.Tool, args map[string]any, err error) (map[string]any, error) {
	if g.seen(ctx) {
		return nil, nil
	}
	return g.toolError(ctx, t, args, err)
}

// toolContext is a tool's context with the values and the end of another one. ADK's own can't
// be given others.
type toolContext struct {
	agent.Context
	values context.Context
	guard  *guard
	tool   string
}

func (c *toolContext) Value(key any) any           { return c.values.Value(key) }
func (c *toolContext) Done() <-chan struct{}       { return c.values.Done() }
func (c *toolContext) Err() error                  { return c.values.Err() }
func (c *toolContext) Deadline() (time.Time, bool) { return c.values.Deadline() }

// of reports whether the context is that of a call of the tool which the engine has judged.
func (c *toolContext) of(g *guard, tool string) bool {
	return c.tool == tool && c.guard.a.Engine() == g.a.Engine()
}
