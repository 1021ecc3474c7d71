package mcphook_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type order struct {
	Item string `json:"item"`
}

// offering is a server with three tools, and hooks on one of its sides.
func offering(t *testing.T, side, script string) (s setup, noted *events, messages *told, name func(string) string) {
	e, noted := newEngine(t, script)
	messages = &told{}
	s = setup{server: newServer()}
	yes := true
	mcp.AddTool(s.server, &mcp.Tool{Name: "buy", Title: "Buy", Description: "buys", Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes}}, func(context.Context, *mcp.CallToolRequest, order) (*mcp.CallToolResult, order, error) {
		return nil, order{}, nil
	})
	tool(s.server, "look", text("looked"))
	tool(s.server, "steal", text("stolen"))
	name = func(tool string) string { return tool }
	if side == "server" {
		s.onServer = []mcp.Middleware{mcphook.Server(e, mcphook.WithMessages(messages.take))}
	} else {
		s.onClient = []mcp.Middleware{mcphook.Client(e, mcphook.WithMessages(messages.take))}
		name = func(tool string) string { return "mcp__Corner_Shop__" + tool }
	}
	return s, noted, messages, name
}

// offered are the tools that a client is offered, as "NAME: DESCRIPTION".
func offered(t *testing.T, session *mcp.ClientSession) (tools []*mcp.Tool, lines string) {
	t.Helper()
	var list []string
	for tool, err := range session.Tools(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, tool)
		list = append(list, tool.Name+": "+tool.Description)
	}
	return tools, strings.Join(list, ", ")
}

func TestDefinitionsThatHooksSee(t *testing.T) {
	for _, side := range []string{"server", "client"} {
		t.Run(side, func(t *testing.T) {
			s, noted, _, name := offering(t, side, ``)
			if _, lines := offered(t, s.connect(t)); lines != "buy: buys, look: does look, steal: does steal" {
				t.Errorf("offered %s", lines)
			}
			list := noted.of(hooks.PreToolSelection)[0].Fields["tools"].([]any)
			buy := list[0].(map[string]any)
			schema, _ := buy["input_schema"].(map[string]any)
			if len(list) != 3 || buy["name"] != name("buy") || buy["title"] != "Buy" || buy["description"] != "buys" || schema["type"] != "object" ||
				buy["output_schema"] == nil || fmt.Sprint(buy["annotations"]) != "map[destructiveHint:true idempotentHint:false readOnlyHint:false]" {
				t.Errorf("hooks saw %v", list)
			}
		})
	}
}

func TestDefinitionsThatHooksChange(t *testing.T) {
	for _, side := range []string{"server", "client"} {
		t.Run(side, func(t *testing.T) {
			s, _, messages, _ := offering(t, side, `
on("pre_tool_selection", function(ev)
  local stay = {}
  for _, tool in ipairs(ev.tools) do
    if not tool.name:find("steal") then table.insert(stay, 1, tool) end
  end
  stay[2].description = "buys, after asking"
  stay[2].input_schema = { type = "object", properties = { item = { enum = { "tea" } } } }
  stay[2].annotations = { readOnlyHint = true }
  return modify{ tools = stay }
end)`)
			session := s.connect(t)
			tools, lines := offered(t, session)
			if lines != "look: does look, buy: buys, after asking" {
				t.Fatalf("offered %s (%s)", lines, messages.all())
			}
			buy := tools[1]
			want := map[string]any{"type": "object", "properties": map[string]any{"item": map[string]any{"enum": []any{"tea"}}}}
			if !reflect.DeepEqual(buy.InputSchema, want) || buy.OutputSchema == nil || buy.Title != "Buy" {
				t.Errorf("the definition is %+v", buy)
			}
			if buy.Annotations == nil || !buy.Annotations.ReadOnlyHint || buy.Annotations.DestructiveHint != nil {
				t.Errorf("the annotations are %+v", buy.Annotations)
			}
			res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "steal"})
			if err != nil || res.IsError {
				t.Errorf("a tool that isn't offered: %v, %+v", err, res)
			}
		})
	}
}

func TestServersOwnDefinitionsStay(t *testing.T) {
	e, _ := newEngine(t, `on("pre_tool_selection", function(ev)
  ev.tools[1].description, ev.tools[1].annotations = "changed", { title = "changed" }
  return modify{ tools = ev.tools }
end)`)
	s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}}
	look := &mcp.Tool{Name: "look", Description: "looks", InputSchema: map[string]any{"type": "object"}, Annotations: &mcp.ToolAnnotations{Title: "Look"}}
	s.server.AddTool(look, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return text("looked")(r) })
	if tools, lines := offered(t, s.connect(t)); lines != "look: changed" || tools[0].Annotations.Title != "changed" {
		t.Errorf("offered %s, %+v", lines, tools[0].Annotations)
	}
	if look.Description != "looks" || look.Annotations.Title != "Look" {
		t.Errorf("the server's own definition is now %+v, %+v", look, look.Annotations)
	}
}

func TestDefinitionsThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct{ answer, lines, says string }{
		{`modify{ tools = { "look" } }`, "look: does look", ""},
		{`modify{ tools = {} }`, "", ""},
		{`modify{ tools = { "look", "look", "fly", 7 } }`, "look: does look", `none named "fly"`},
		{`modify{ tools = { { name = "look", input_schema = { type = "string" } }, "buy" } }`, "buy: buys", `look: its input_schema isn't of type "object"`},
		{`modify{ tools = { { name = "look", description = "sees" }, "buy" } }`, "buy: buys", `look: its input_schema isn't of type "object"`},
		{`modify{ tools = { { name = "buy", description = "as it was", input_schema = { type = "object" } } } }`, "buy: as it was", ""},
		{`modify{ tools = { { name = "look", description = 7, input_schema = { type = "object" } }, "buy" } }`, "buy: buys", "look: its description can't be used"},
		{`deny("no tools today")`, "", "no tools are offered: pre_tool_selection was denied: no tools today"},
	} {
		t.Run(c.answer, func(t *testing.T) {
			s, _, messages, _ := offering(t, "server", `on("pre_tool_selection", function() return `+c.answer+` end)`)
			tools, lines := offered(t, s.connect(t))
			if lines != c.lines {
				t.Errorf("offered %q, want %q", lines, c.lines)
			}
			if lines == "buy: as it was" && (tools[0].Title != "" || tools[0].Annotations != nil || tools[0].OutputSchema != nil) {
				t.Errorf("what the answer lacks is still there: %+v", tools[0])
			}
			if got := messages.all(); !strings.Contains(got, c.says) || c.says == "" && got != "" {
				t.Errorf("the messages are %q, want %q", got, c.says)
			}
		})
	}
}

func TestDefinitionsByPage(t *testing.T) {
	e, noted := newEngine(t, `on("pre_tool_selection", function(ev) if ev.tools[1].name == "b" then return modify{ tools = {} } end end)`)
	s := setup{server: mcp.NewServer(&mcp.Implementation{Name: "shop"}, &mcp.ServerOptions{PageSize: 1}), onServer: []mcp.Middleware{mcphook.Server(e)}}
	for _, name := range []string{"a", "b", "c"} {
		tool(s.server, name, text(name))
	}
	if _, lines := offered(t, s.connect(t)); lines != "a: does a, c: does c" {
		t.Errorf("offered %s", lines)
	}
	if n := len(noted.of(hooks.PreToolSelection)); n != 3 {
		t.Errorf("pre_tool_selection was fired %d times, want once for each page", n)
	}
}
