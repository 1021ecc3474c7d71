package mcphook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The keys of a call and of a result that something follows from.
var (
	callKeys   = []string{"name", "arguments", "task", "inputResponses", "requestState", "_meta"}
	resultKeys = []string{"content", "structuredContent", "isError", "task", "toolResult", "resultType", "inputRequests", "requestState", "_meta"}
)

// call judges one tools/call and makes it.
func (g *gate) call(ctx context.Context, m *jsonrpc.Request, r *request) *jsonrpc.Response {
	params, err := parseObject(m.Params)
	if err == nil {
		err = params.onlyAs(callKeys...)
	}
	tool, named := params.text("name")
	if err == nil && !named {
		err = errors.New("it names no tool")
	}
	if err != nil {
		return failed(m.ID, jsonrpc.CodeInvalidParams, "this tools/call can't be judged: "+err.Error())
	}
	back := g.comesBack(params)
	params = withoutTasks(back.params)
	client := g.peerFor(m)
	var before *mcp.CallToolResult
	var result object // of the server, as it was written
	var refused *jsonrpc.Error
	var running *task // what the call is run as; nil: it has its result at once
	var id string     // of that
	c := &call{
		adapter: g.adapter, name: g.toolName(tool), version: client.version, resumed: back.known,
		ask: func(ctx context.Context, run *engine.ToolRun) *mcp.CallToolResult {
			return g.ask(ctx, client, back, run)
		},
		next: func(ctx context.Context, arguments json.RawMessage) (_ *mcp.CallToolResult, err error) {
			given := params
			if !bytes.Equal(arguments, params.get("arguments")) {
				given = params.with("arguments", arguments)
			}
			answer, err := g.roundTrip(ctx, &jsonrpc.Request{ID: m.ID, Method: m.Method, Params: given.encode()}, r)
			if err == nil && params.get("task") != nil && taskID(answer) != "" {
				id = taskID(answer)
				running, answer, err = g.runTask(ctx, id, r, answer)
			}
			if err != nil {
				return nil, err
			}
			if errors.As(answer.Error, &refused) {
				return nil, refused
			}
			before, result, err = readResult(answer.Result)
			return before, err
		},
	}
	answer := func() *jsonrpc.Response {
	res, a, err := c.do(ctx, params.get("arguments"))
	var text json.RawMessage
	switch {
	case err != nil && refused != nil && errors.Is(err, refused):
		return &jsonrpc.Response{ID: m.ID, Error: refused}
	case err != nil:
		return failed(m.ID, jsonrpc.CodeInternalError, err.Error())
	case before != nil && waits(before, nil):
		text = g.keepsWaiting(back, result).encode()
	case before != nil && res == before:
		text = result.encode()
	case before != nil && a != nil && !a.Replaced:
		text, err = withNotes(result, res.Content[len(before.Content):])
	default:
		text, err = json.Marshal(res)
	}
	if err != nil {
		return failed(m.ID, jsonrpc.CodeInternalError, "the result can't be written: "+err.Error())
	}
	if params.get("task") != nil && before == nil { // who wants a task reads no other result
		return failed(m.ID, jsonrpc.CodeInvalidRequest, textOf(res.Content))
	}
	return &jsonrpc.Response{ID: m.ID, Result: text}
	}()
	if running != nil {
		g.endTask(id, running, answer)
		return nil
	}
	return answer
}

// roundTrip sends a request to the server and waits for its answer.
func (g *gate) roundTrip(ctx context.Context, m *jsonrpc.Request, r *request) (*jsonrpc.Response, error) {
	if err := g.send(ctx, m, r); err != nil {
		return nil, err
	}
	return g.await(ctx, r)
}

// readResult reads the result of a call. What can't be read without doubt can't be judged.
func readResult(text json.RawMessage) (*mcp.CallToolResult, object, error) {
	o, err := parseObject(text)
	if err == nil {
		err = o.onlyAs(resultKeys...)
	}
	if kind, _ := o.text("resultType"); err == nil && o.get("resultType") != nil && kind != "complete" && kind != "input_required" {
		err = fmt.Errorf("results of the type %s aren't known", o.get("resultType"))
	}
	for _, key := range []string{"task", "toolResult"} {
		if err == nil && o.get(key) != nil {
			err = fmt.Errorf("a %s isn't what was asked for", key)
		}
	}
	res := &mcp.CallToolResult{}
	if err == nil {
		err = json.Unmarshal(o.encode(), res)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the server's result can't be judged: %w", err)
	}
	return res, o, nil
}

// withNotes is a result with more content.
func withNotes(result object, notes []mcp.Content) (json.RawMessage, error) {
	var content []json.RawMessage
	if v := result.get("content"); v != nil {
		if err := json.Unmarshal(v, &content); err != nil {
			return nil, err
		}
	}
	for _, note := range notes {
		text, err := json.Marshal(note)
		if err != nil {
			return nil, err
		}
		content = append(content, text)
	}
	return result.with("content", content).encode(), nil
}
