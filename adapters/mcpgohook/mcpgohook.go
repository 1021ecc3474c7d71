// Package mcpgohook puts the tools of an MCP server that is written with mark3labs/mcp-go under
// luahook: one option of the server.
//
//	s := server.NewMCPServer("shop", "1.0.0", mcpgohook.ServerOption(e))
//
// The README says what is covered, and what isn't.
package mcpgohook

import (
	"context"
	"crypto/rand"
	"reflect"
	"sync"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Option is a setting of the adapter.
type Option = adapter.Option

// Message is what hooks say to people.
type Message = adapter.Message

// WithCaller says of the caller what the server doesn't know, such as the working folder.
func WithCaller(c engine.Caller) Option { return adapter.WithCaller(c) }

// WithBlockingAsk has the function of engine.WithAsk answer where a hook asks, also where the
// client could ask its user.
func WithBlockingAsk() Option { return adapter.WithBlockingAsk() }

// WithToolKinds says by name what tools do that luahook's table of names doesn't know.
func WithToolKinds(kinds map[string]hooks.Kind) Option { return adapter.WithToolKinds(kinds) }

// WithMessages hands over what hooks say to the user, and warnings. tell may be called from
// several goroutines at once, and must return soon.
func WithMessages(tell func(ctx context.Context, m Message)) Option {
	return adapter.WithMessages(tell)
}

// ServerOption puts the tools of a server under the engine's hooks, also those that are added
// later and those of single sessions, and fires session_start, session_end and pre_tool_selection.
// Give it to [server.NewMCPServer] as the last option, so that hooks see the input that the tool
// gets and the output that it gives; where a middleware stands between them, [WithMessages] is
// told. A server has one engine.
//
// The handlers of AddTaskTool are not reached: see [TaskTool].
func ServerOption(e *engine.Engine, o ...Option) server.ServerOption {
	return func(s *server.MCPServer) {
		g := newGate(e, o)
		g.server = s
		s.Use(g.middleware)
		h := s.GetHooks()
		if h == nil {
			h = &server.Hooks{}
			server.WithHooks(h)(s)
		}
		g.hooks = h
		g.installSessions(h)
		g.installDefinitions(h)
	}
}

// TaskTool puts the handler of [server.MCPServer.AddTaskTool] under the engine's hooks, which
// [ServerOption] can't reach. The task's result is what its content, structured content and error
// flag say; where a hook denies, the handler doesn't run and the task's result is the reason.
func TaskTool(e *engine.Engine, handler server.TaskToolHandlerFunc, o ...Option) server.TaskToolHandlerFunc {
	g := newGate(e, o)
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CreateTaskResult, error) {
		var created mcp.CreateTaskResult
		result, err := g.call(ctx, req, true, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r, err := handler(ctx, req)
			if r == nil {
				return nil, err
			}
			created = *r
			return &mcp.CallToolResult{Result: r.Result, Content: r.Content, StructuredContent: r.StructuredContent, IsError: r.IsError}, err
		})
		if result == nil {
			return nil, err
		}
		created.Result, created.Content = result.Result, result.Content
		created.StructuredContent, created.IsError = result.StructuredContent, result.IsError
		return &created, err
	}
}

// gate is the adapter of one server, or of one task tool.
type gate struct {
	*adapter.Adapter
	server *server.MCPServer // nil: it is one of a task tool
	hooks  *server.Hooks

	sessions             sync.Map  // of *session, by id
	toldPlace, toldHooks sync.Once // what checkPlace has told
}

func newGate(e *engine.Engine, o []Option) *gate {
	return &gate{Adapter: adapter.New(e, o...)}
}

func (g *gate) middleware(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		tool, known := g.tool(ctx, req.Params.Name)
		if known {
			g.checkPlace(ctx, tool.Handler, next)
		}
		task := req.Params.Task != nil && tool.Tool.Execution != nil && tool.Tool.Execution.TaskSupport != mcp.TaskSupportForbidden
		result, err := g.call(ctx, req, task, next)
		return g.addSessionContext(ctx, result), err
	}
}

// tool is the one that the server calls under that name.
func (g *gate) tool(ctx context.Context, name string) (tool server.ServerTool, ok bool) {
	if s, has := server.ClientSessionFromContext(ctx).(server.SessionWithTools); has {
		if tool, ok = s.GetSessionTools()[name]; ok {
			return tool, true
		}
	}
	if t := g.server.GetTool(name); t != nil {
		return *t, true
	}
	return tool, false
}

// checkPlace tells, once, where luahook isn't innermost, or has lost the server's hooks.
func (g *gate) checkPlace(ctx context.Context, handler, next server.ToolHandlerFunc) {
	if reflect.ValueOf(handler).Pointer() != reflect.ValueOf(next).Pointer() {
		g.toldPlace.Do(func() {
			g.Warn(ctx, hooks.PreToolCall, "a middleware of the server stands between luahook and its tools, so that hooks may not see what the tool gets and gives; make mcpgohook.ServerOption the last option, after WithRecovery and Use")
		})
	}
	if g.server.GetHooks() != g.hooks {
		g.toldHooks.Do(func() {
			g.Warn(ctx, hooks.SessionStart, "server.WithHooks has replaced the hooks by which luahook hears of sessions and lists of tools; make mcpgohook.ServerOption the last option")
		})
	}
}

// stdioSession is the id of the session over stdio, which mcp-go calls by the same name in all
// processes: what hooks remember of a session would be that of another one.
var stdioSession = sync.OnceValue(rand.Text)

// caller is ctx with what is known of the client; what engine.WithCaller says of the call counts
// more.
func (g *gate) caller(ctx context.Context, s server.ClientSession) context.Context {
	c := engine.CallerFrom(ctx)
	if s != nil {
		if c.SessionID == "" {
			if c.SessionID = s.SessionID(); c.SessionID == "stdio" {
				c.SessionID = stdioSession()
			}
		}
		if info, ok := s.(server.SessionWithClientInfo); ok && c.AgentName == "" {
			c.AgentName = info.GetClientInfo().Name
		}
	}
	return g.Context(engine.WithCaller(ctx, c), nil)
}
