package mcpgohook_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// list gives the tools that a client is offered, as JSON.
func list(t *testing.T, s *server.MCPServer) string {
	t.Helper()
	answer, err := connect(t, s, newer, nil).ListTools(context.Background(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(answer.Tools)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func twoTools(w *world, o ...server.ServerOption) *server.MCPServer {
	s := server.NewMCPServer("x", "1", append(o, w.option())...)
	s.AddTool(mcp.NewTool("delete_all", mcp.WithDescription("deletes all")), text("done"))
	s.AddTool(mcp.NewTool("search", mcp.WithDescription("finds things"), mcp.WithString("query"), mcp.WithOutputSchema[struct{ N int }]()), text("done"))
	return s
}

func TestToolsThatHooksLeaveOut(t *testing.T) {
	w := newWorld(t, `
on("pre_tool_selection", function(ev)
  local stay = {}
  for _, tool in ipairs(ev.tools) do
    if not tool.name:find("delete") then stay[#stay + 1] = tool.name end
  end
  return modify{ tools = stay }
end)`)
	before := list(t, twoTools(newWorld(t, ``)))
	got := list(t, twoTools(w))
	says(t, before, "delete_all", "search")
	says(t, got, "!delete_all", "search")
	if !strings.HasSuffix(before, strings.TrimPrefix(got, "[")) {
		t.Errorf("the tool that stays came as %s, before %s", got, before)
	}
}

func TestToolsThatHooksRewrite(t *testing.T) {
	w := newWorld(t, `
on("pre_tool_selection", function(ev)
  local tool = ev.tools[2]
  tool.description = tool.description .. ", and says where"
  tool.input_schema.properties.query.maxLength = 10
  tool.output_schema = nil
  return modify{ tools = { tool, { name = "search" }, "unknown", { name = "delete_all" } } }
end)`)
	s := twoTools(w)
	got := list(t, s)
	says(t, got, "finds things, and says where", `"maxLength":10`, "!outputSchema", "!delete_all", "!unknown")
	says(t, strings.Join(w.messages, "\n"), `none named "search"`, `none named "unknown"`, `delete_all: its input_schema isn't of type "object"`)
	if kept := s.GetTool("search").Tool; kept.Description != "finds things" || kept.RawOutputSchema == nil && kept.OutputSchema.Type == "" {
		t.Errorf("the server's own tool has changed: %+v", kept)
	}
}

func TestToolsThatHooksDeny(t *testing.T) {
	w := newWorld(t, `on("pre_tool_selection", function(ev) return deny("not now") end)`)
	if got := list(t, twoTools(w, server.WithPaginationLimit(1))); got != "[]" {
		t.Errorf("a client is offered %s", got)
	}
	says(t, strings.Join(w.messages, "\n"), "no tools are offered", "not now")
}
