package mcphook

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listed is a page of tools as hooks of pre_tool_selection leave it. name is what hooks call a
// tool.
func listed(ctx context.Context, a *adapter.Adapter, list *mcp.ListToolsResult, name func(tool string) string) *mcp.ListToolsResult {
	tools, denied := selectTools(ctx, a, list.Tools, name)
	copied := *list
	if a.Engine().Listens(hooks.PreToolSelection, hooks.ToolCall{}) {
		copied.CacheScope = "private" // hooks may decide otherwise for another client
	}
	if tools != nil {
		copied.Tools = tools
	}
	if denied {
		copied.NextCursor = ""
	}
	return &copied
}

// selectTools fires pre_tool_selection for tools, and gives those that are to be offered; nil:
// all, as they are. denied reports whether a hook wants none of them to be. The tools aren't
// changed: what differs is a copy.
func selectTools(ctx context.Context, a *adapter.Adapter, tools []*mcp.Tool, name func(tool string) string) (selected []*mcp.Tool, denied bool) {
	known := make(map[string]*mcp.Tool, len(tools))
	offers := make([]any, 0, len(tools))
	for _, tool := range tools {
		if tool != nil {
			known[name(tool.Name)] = tool
			offers = append(offers, offer(tool, name(tool.Name)))
		}
	}
	event := a.Event(ctx, hooks.PreToolSelection)
	event.Fields["tools"] = offers
	r, err := a.Fire(ctx, event)
	if err != nil {
		a.Warn(ctx, hooks.PreToolSelection, "no tools are offered: %v", err)
		return []*mcp.Tool{}, true
	}
	if r.Input == nil {
		return nil, false
	}
	answer, err := plain(r.Input["tools"])
	list, ok := answer.([]any)
	if err != nil || !ok && answer != nil {
		a.Warn(ctx, hooks.PreToolSelection, "no tools are offered: what hooks made of them is no list")
		return []*mcp.Tool{}, true
	}
	selected = []*mcp.Tool{}
	for _, entry := range list {
		tool, err := chosen(entry, known)
		if err != nil {
			a.Warn(ctx, hooks.PreToolSelection, "a tool isn't offered: %v", err)
			continue
		}
		selected = append(selected, tool)
	}
	return selected, false
}

// fieldsOf are the parts of a tool's definition that hooks see and may rewrite, by their names in
// events.
func fieldsOf(tool *mcp.Tool) map[string]any {
	return map[string]any{
		"title": &tool.Title, "description": &tool.Description, "annotations": &tool.Annotations,
		"input_schema": &tool.InputSchema, "output_schema": &tool.OutputSchema,
	}
}

// offer is a tool as hooks see it.
func offer(tool *mcp.Tool, name string) map[string]any {
	seen := map[string]any{"name": name}
	for key, field := range fieldsOf(tool) {
		if value := reflect.ValueOf(field).Elem(); !value.IsZero() {
			seen[key] = value.Interface()
		}
	}
	return seen
}

// chosen is the tool that an entry of a hook's answer names, once: as it is, or with the entry's
// definition for its own.
func chosen(entry any, known map[string]*mcp.Tool) (*mcp.Tool, error) {
	rewritten, isDefinition := entry.(map[string]any)
	name, _ := entry.(string)
	if isDefinition {
		name, _ = rewritten["name"].(string)
	}
	tool := known[name]
	if tool == nil {
		return nil, fmt.Errorf("there is none named %q, or it is there twice", name)
	}
	delete(known, name)
	if !isDefinition {
		return tool, nil
	}
	before, err := plain(offer(tool, name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	was, copied := before.(map[string]any), *tool
	for key, field := range fieldsOf(&copied) {
		value, given := rewritten[key]
		if given && reflect.DeepEqual(value, was[key]) {
			continue
		}
		reflect.ValueOf(field).Elem().SetZero() // it may be shared
		if !given {
			continue
		}
		text, err := hooks.EncodeJSON(value)
		if err == nil {
			err = json.Unmarshal(text, field)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: its %s can't be used: %w", name, key, err)
		}
	}
	if schema, _ := rewritten["input_schema"].(map[string]any); schema["type"] != "object" {
		return nil, fmt.Errorf(`%s: its input_schema isn't of type "object"`, name)
	}
	return &copied, nil
}
