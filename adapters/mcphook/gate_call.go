package mcphook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/luahook/luahook/engine"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The keys of a call and of a result that something follows from.
var (
	callKeys   = []string{"name", "arguments", "task", "inputResponses", "requestState", "_meta"}
	resultKeys = []string{"content", "structuredContent", "isError", "task", "toolResult", "resultType", "inputRequests", "requestState", "_meta"}
)

// gateCall is one tools/call of a gate's client.
type gateCall struct {
	gate   *gate
	asked  *jsonrpc.Request
	under  *request
	params object // for the server
	back   comingBack
	client peer

	before  *mcp.CallToolResult // what the server came back with; nil: no result
	result  object              // the same, as it was written
	refused *jsonrpc.Error      // what it said in place of a result
	task    *task               // what the call is run as; nil: it has its result at once
	taskID  string
}

// call judges one tools/call and makes it. nil: it was answered before.
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
	c := &gateCall{gate: g, asked: m, under: r, back: g.comesBack(params), client: g.peerFor(m)}
	c.params = withoutTasks(c.back.params)
	answer := c.run(ctx, g.toolName(tool))
	if c.task != nil {
		g.endTask(c.taskID, c.task, answer)
		return nil
	}
	return answer
}

// run is the call under hooks.
func (c *gateCall) run(ctx context.Context, name string) *jsonrpc.Response {
	id := c.asked.ID
	under := &call{
		adapter: c.gate.adapter, name: name, version: c.client.version, resumed: c.back.known, next: c.next,
		ask: func(ctx context.Context, run *engine.ToolRun) *mcp.CallToolResult {
			return c.gate.ask(ctx, c.client, c.back, run)
		},
	}
	res, a, err := under.do(ctx, c.params.get("arguments"))
	var text json.RawMessage
	switch {
	case err != nil && c.refused != nil:
		return &jsonrpc.Response{ID: id, Error: c.refused}
	case err != nil:
		return failed(id, jsonrpc.CodeInternalError, err.Error())
	case c.before != nil && waits(c.before, nil):
		text = c.gate.keepsWaiting(c.back, c.result).encode()
	case c.before != nil && res == c.before:
		text = c.result.encode()
	case c.params.get("task") != nil && c.before == nil: // who wants a task reads no other result
		return failed(id, jsonrpc.CodeInvalidRequest, textOf(res.Content))
	case c.before != nil && a != nil && !a.Replaced:
		text, err = withNotes(c.result, res.Content[len(c.before.Content):])
	default:
		text, err = json.Marshal(res)
	}
	if err != nil {
		return failed(id, jsonrpc.CodeInternalError, "the result can't be written: "+err.Error())
	}
	return &jsonrpc.Response{ID: id, Result: text}
}

// next has the server run the tool.
func (c *gateCall) next(ctx context.Context, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	given := c.params
	if !bytes.Equal(arguments, c.params.get("arguments")) {
		given = c.params.with("arguments", arguments)
	}
	answer, err := c.gate.roundTrip(ctx, &jsonrpc.Request{ID: c.asked.ID, Method: methodCall, Params: given.encode()}, c.under)
	if err == nil && c.params.get("task") != nil {
		if c.taskID = taskID(answer); c.taskID != "" {
			c.task, answer, err = c.gate.runTask(ctx, c.taskID, c.under, answer)
		}
	}
	if err != nil {
		return nil, err
	}
	if answer.Error != nil {
		if !errors.As(answer.Error, &c.refused) {
			return nil, answer.Error
		}
		return nil, c.refused
	}
	c.before, c.result, err = readResult(answer.Result)
	return c.before, err
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
	if kind, _ := o.text("resultType"); err == nil && (kind == "input_required" || o.get("inputRequests") != nil) {
		return resultOfType("input_required"), o, nil // of which the SDK can't read all
	}
	res := &mcp.CallToolResult{}
	if err == nil && json.Unmarshal(o.encode(), res) != nil { // its error would quote the result
		err = errors.New("it is none of a tool")
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
