package mcpgohook

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/luahook/luahook/hooks"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// installDefinitions fires pre_tool_selection for each page of tools/list.
func (g *gate) installDefinitions(h *server.Hooks) {
	h.AddAfterListTools(func(ctx context.Context, _ any, _ *mcp.ListToolsRequest, result *mcp.ListToolsResult) {
		if g.Engine().Listens(hooks.PreToolSelection, hooks.ToolCall{}) {
			result.CacheScope = mcp.CacheScopePrivate // hooks may decide otherwise for another client
		}
		tools, denied := g.selectTools(g.caller(ctx, server.ClientSessionFromContext(ctx)), result.Tools)
		if result.Tools = tools; denied {
			result.NextCursor = ""
		}
	})
}

// selectTools gives those of the tools that are to be offered, as copies where they differ. denied
// reports whether hooks want none to be.
func (g *gate) selectTools(ctx context.Context, tools []mcp.Tool) (selected []mcp.Tool, denied bool) {
	known := make(map[string]mcp.Tool, len(tools))
	offers := make([]any, 0, len(tools))
	for _, tool := range tools {
		known[tool.Name] = tool
		offers = append(offers, offerOf(tool))
	}
	event := g.Event(ctx, hooks.PreToolSelection)
	event.Fields["tools"] = offers
	r, err := g.Fire(ctx, event)
	if err != nil {
		g.Warn(ctx, hooks.PreToolSelection, "no tools are offered: %v", err)
		return []mcp.Tool{}, true
	}
	if r.Input == nil {
		return tools, false
	}
	answer, err := hooks.PlainValue(r.Input["tools"])
	list, ok := answer.([]any)
	if err != nil || !ok && answer != nil {
		g.Warn(ctx, hooks.PreToolSelection, "no tools are offered: what hooks made of them is no list")
		return []mcp.Tool{}, true
	}
	selected = []mcp.Tool{}
	for _, entry := range list {
		tool, err := chosen(entry, known)
		if err != nil {
			g.Warn(ctx, hooks.PreToolSelection, "a tool isn't offered: %v", err)
			continue
		}
		delete(known, tool.Name)
		selected = append(selected, tool)
	}
	return selected, false
}

// definition is what hooks see of a tool, and may rewrite.
type definition struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
	Annotations  json.RawMessage `json:"annotations,omitempty"`
}

// offerOf is a tool as hooks see it, by the names of a definition.
func offerOf(tool mcp.Tool) any {
	var sent struct {
		InputSchema, OutputSchema, Annotations json.RawMessage
	}
	text, err := json.Marshal(tool)
	if err == nil {
		err = json.Unmarshal(text, &sent)
	}
	if err == nil {
		text, err = json.Marshal(definition{tool.Name, tool.Title, tool.Description, sent.InputSchema, sent.OutputSchema, sent.Annotations})
	}
	if err != nil { // the server can't send it either
		return map[string]any{"name": tool.Name}
	}
	var offer any
	if offer, err = hooks.DecodeJSON(text); err != nil {
		return map[string]any{"name": tool.Name}
	}
	return offer
}

// chosen is the tool that an entry of a hook's answer names: as it is, or with the entry's
// definition for its own.
func chosen(entry any, known map[string]mcp.Tool) (mcp.Tool, error) {
	fields, isDefinition := entry.(map[string]any)
	name, _ := entry.(string)
	if isDefinition {
		name, _ = fields["name"].(string)
	}
	tool, ok := known[name]
	if !ok {
		return tool, fmt.Errorf("there is none named %q, or it is there twice", name)
	}
	if !isDefinition || reflect.DeepEqual(entry, offerOf(tool)) {
		return tool, nil
	}
	if schema, _ := fields["input_schema"].(map[string]any); schema["type"] != "object" {
		return tool, fmt.Errorf(`%s: its input_schema isn't of type "object"`, name)
	}
	var d definition
	text, err := hooks.EncodeJSON(fields)
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return tool, fmt.Errorf("%s: its definition can't be used: %w", name, err)
	}
	tool.Title, tool.Description = d.Title, d.Description
	tool.InputSchema, tool.RawInputSchema = mcp.ToolInputSchema{}, d.InputSchema
	tool.OutputSchema, tool.RawOutputSchema = mcp.ToolOutputSchema{}, d.OutputSchema
	tool.Annotations = mcp.ToolAnnotation{}
	if len(d.Annotations) > 0 {
		err = json.Unmarshal(d.Annotations, &tool.Annotations)
	}
	if err != nil {
		return tool, fmt.Errorf("%s: its annotations can't be used: %w", name, err)
	}
	return tool, nil
}
