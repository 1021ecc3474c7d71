package mcphook

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The methods of the protocol that hooks look at.
const (
	methodCall       = "tools/call"
	methodList       = "tools/list"
	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
	methodPing       = "ping"
)

// Server puts what clients ask of a server under the engine's hooks. It is for
// [mcp.Server.AddReceivingMiddleware], before all other middleware: then hooks see the arguments
// that the tool gets, and its result before others change it. [WithMessages] is warned where it
// isn't. One middleware may serve several servers.
//
//   - tools/call fires pre_tool_call and post_tool_call, with the tool's name as the server knows
//     it. A refused call is a result with isError and the reason. Errors of the protocol, such as
//     that of an unknown tool, stay what they are unless hooks have something to say about them.
//   - tools/list fires pre_tool_selection, once for each page; see the package's comment.
//   - The first request of a session fires session_start, and session_end follows when the session
//     is over, or the engine is closed. A deny refuses all requests of the session. What hooks add for the model joins the
//     server's instructions. Over HTTP a request without a session id is none of a session.
//
// Events have the session's id, or one made for it where it has none, and the client's name as
// agent_name; what [engine.WithCaller] says in the request's context comes first.
//
// Where a hook asks, the client asks its user (elicitation). Where it can't, the function of
// [engine.WithAsk] does.
func Server(e *engine.Engine, o ...Option) mcp.Middleware {
	s := &server{adapter: adapter.New(e, o...), live: map[*mcp.ServerSession]*session{}}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		warnUnlessInnermost(s.adapter, next)
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return s.handle(ctx, method, req, next)
		}
	}
}

// handle is one request or notification.
func (s *server) handle(ctx context.Context, method string, req mcp.Request, next mcp.MethodHandler) (mcp.Result, error) {
	ss, ok := req.GetSession().(*mcp.ServerSession)
	if !ok {
		return nil, fmt.Errorf("luahook: %s: mcphook.Server is for AddReceivingMiddleware of a server", method)
	}
	ctx, session, err := s.enter(ctx, ss, method, req)
	if err != nil {
		return nil, err
	}
	switch method {
	case methodCall:
		if r, ok := req.(*mcp.CallToolRequest); ok && r.Params != nil {
			return s.call(ctx, r, next)
		}
		return nil, fmt.Errorf("luahook: a %s of type %T can't be judged", method, req)
	case methodList:
		res, err := next(ctx, method, req)
		if list, ok := res.(*mcp.ListToolsResult); ok && err == nil {
			return listed(ctx, s.adapter, list, func(tool string) string { return tool }), nil
		}
		return res, err
	}
	res, err := next(ctx, method, req)
	return session.instruct(res), err
}

// call is one tools/call.
func (s *server) call(ctx context.Context, r *mcp.CallToolRequest, next mcp.MethodHandler) (mcp.Result, error) {
	asked := s.askedBefore(r)
	c := &call{
		adapter: s.adapter, name: r.Params.Name, version: r.ProtocolVersion(), resumed: asked.id != "",
		ask: func(ctx context.Context, run *engine.ToolRun) *mcp.CallToolResult {
			return s.elicit(ctx, r, asked, run)
		},
		next: func(ctx context.Context, arguments json.RawMessage) (*mcp.CallToolResult, error) {
			params := asked.params
			params.Arguments = arguments
			request := *r
			request.Params = &params
			res, err := next(ctx, methodCall, &request)
			if err != nil {
				return nil, err
			}
			result, ok := res.(*mcp.CallToolResult)
			if !ok {
				return nil, fmt.Errorf("%s came back with a %T", methodCall, res)
			}
			return asked.keep(result), nil
		},
	}
	res, _, err := c.do(ctx, r.Params.Arguments)
	if err != nil {
		return nil, err
	}
	return res, nil
}
