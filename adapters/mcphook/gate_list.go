package mcphook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// list judges the answer to a tools/list.
func (g *gate) list(ctx context.Context, m *jsonrpc.Request, r *request) *jsonrpc.Response {
	answer, err := g.await(ctx, r)
	if err != nil {
		return failed(m.ID, jsonrpc.CodeInternalError, err.Error())
	}
	if answer.Error != nil || !g.adapter.Engine().Listens(hooks.PreToolSelection, hooks.ToolCall{}) {
		return answer
	}
	result, err := g.selected(ctx, answer.Result)
	if err != nil {
		return failed(m.ID, jsonrpc.CodeInternalError, "the server's list of tools can't be judged: "+err.Error())
	}
	return &jsonrpc.Response{ID: m.ID, Result: result}
}

// selected is a list of tools as hooks leave it. What they leave alone stays as it was written.
func (g *gate) selected(ctx context.Context, text json.RawMessage) (json.RawMessage, error) {
	result, err := parseObject(text)
	if err == nil {
		err = result.onlyAs("tools")
	}
	if err != nil {
		return nil, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(result.get("tools"), &items); err != nil {
		return nil, errors.New("it has no list of tools")
	}
	var tools []*mcp.Tool
	type written struct {
		tool *mcp.Tool
		text object
	}
	known := map[string]written{}
	for _, item := range items {
		o, err := parseObject(item)
		tool := &mcp.Tool{}
		if err == nil {
			err = o.onlyAs("name", "title", "description", "inputSchema", "outputSchema", "annotations")
		}
		if err == nil {
			err = json.Unmarshal(o.encode(), tool)
		}
		if err != nil {
			return nil, fmt.Errorf("a tool of it: %w", err)
		}
		tools = append(tools, tool)
		known[tool.Name] = written{tool, o}
	}
	left, denied := selectTools(ctx, g.adapter, tools, g.toolName)
	if left == nil {
		return result.encode(), nil
	}
	kept := make([]json.RawMessage, 0, len(left))
	for _, tool := range left {
		was := known[tool.Name]
		o := was.text
		for _, part := range []struct {
			key      string
			was, now any
		}{
			{"title", was.tool.Title, tool.Title}, {"description", was.tool.Description, tool.Description},
			{"inputSchema", was.tool.InputSchema, tool.InputSchema}, {"outputSchema", was.tool.OutputSchema, tool.OutputSchema},
			{"annotations", was.tool.Annotations, tool.Annotations},
		} {
			if reflect.DeepEqual(part.was, part.now) {
				continue
			}
			value, err := json.Marshal(part.now)
			if err != nil {
				return nil, err
			}
			if o = o.without(part.key); string(value) != "null" {
				o = was.text.with(part.key, json.RawMessage(value))
			}
		}
		kept = append(kept, o.encode())
	}
	if result = result.with("tools", kept); denied {
		result = result.without("nextCursor")
	}
	if result.get("cacheScope") != nil {
		result = result.with("cacheScope", "private") // hooks may decide otherwise for another client
	}
	return result.encode(), nil
}
