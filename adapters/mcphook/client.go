package mcphook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Client puts what a client asks of servers under the engine's hooks. It is for
// [mcp.Client.AddSendingMiddleware], before all other middleware, and serves all sessions of the
// client. Hooks see the tools as mcp__SERVER__TOOL, where SERVER is the name that the server says
// of itself, with "_" for what isn't a letter, a digit or "-".
//
//   - tools/call fires pre_tool_call and post_tool_call. A refused call never leaves the client: it
//     is a result with IsError and the reason. A hook that ends the turn is an error of CallTool, an
//     [*engine.ToolError] with Halt.
//   - tools/list fires pre_tool_selection, once for each page that is asked of the server; see the
//     package's comment.
//
// Who calls is what [engine.WithCaller] and [engine.WithToolCallID] say in the context of CallTool.
// Where a hook asks, the function of [engine.WithAsk] is asked. Where that says
// [engine.ErrSuspended], so does CallTool.
func Client(e *engine.Engine, o ...Option) mcp.Middleware {
	a := adapter.New(e, o...)
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		warnUnlessInnermost(a, next)
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method != methodCall && method != methodList {
				return next(ctx, method, req)
			}
			cs, ok := req.GetSession().(*mcp.ClientSession)
			if !ok {
				return nil, fmt.Errorf("luahook: %s: mcphook.Client is for AddSendingMiddleware of a client", method)
			}
			name := func(tool string) string { return toolName(serverName(cs), tool) }
			if method == methodCall {
				return callFromClient(a.Context(ctx, nil), a, cs, name, req, next)
			}
			res, err := next(ctx, method, req)
			if list, ok := res.(*mcp.ListToolsResult); ok && err == nil {
				return listed(ctx, a, list, name), nil
			}
			return res, err
		}
	}
}

// callFromClient is one tools/call of a client.
func callFromClient(ctx context.Context, a *adapter.Adapter, cs *mcp.ClientSession, name func(tool string) string, req mcp.Request, next mcp.MethodHandler) (mcp.Result, error) {
	given, ok := req.GetParams().(*mcp.CallToolParams)
	if !ok || given == nil {
		return nil, fmt.Errorf("luahook: a %s with %T can't be judged", methodCall, req.GetParams())
	}
	raw, err := json.Marshal(given.Arguments)
	if err != nil {
		return nil, fmt.Errorf("%s %s: the arguments are no JSON: %w", methodCall, given.Name, err)
	}
	c := &call{adapter: a, name: name(given.Name), next: func(ctx context.Context, arguments json.RawMessage) (*mcp.CallToolResult, error) {
		params := *given
		params.Arguments = arguments
		res, err := next(ctx, methodCall, &mcp.ClientRequest[mcp.Params]{Session: cs, Params: &params})
		if err != nil {
			return nil, err
		}
		result, ok := res.(*mcp.CallToolResult)
		if !ok {
			return nil, fmt.Errorf("%s came back with a %T", methodCall, res)
		}
		return result, nil
	}}
	res, answer, err := c.do(ctx, raw)
	if answer != nil && (answer.Halt || errors.Is(answer.Err, engine.ErrSuspended)) {
		err = answer.Err
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}

// serverName is the name that a server says of itself.
func serverName(cs *mcp.ClientSession) string {
	if init := cs.InitializeResult(); init != nil && init.ServerInfo != nil {
		return init.ServerInfo.Name
	}
	return ""
}

// toolName is what hooks call a server's tool.
func toolName(server, tool string) string {
	words := strings.FieldsFunc(server, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if len(words) == 0 {
		words = []string{"unnamed"}
	}
	return "mcp__" + strings.Join(words, "_") + "__" + tool
}
