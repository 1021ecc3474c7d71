package mcphook_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// results are what tools come back with, and what hooks see of it.
var results = map[string]struct {
	result *mcp.CallToolResult
	seen   any
}{
	"text": {&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a"}, &mcp.TextContent{Text: "b"}}}, "a\nb"},
	"same": {&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `{"n": 7, "x": 1.5}`}}, StructuredContent: map[string]any{"n": 7.0, "x": 1.5}},
		map[string]any{"n": int64(7), "x": 1.5}},
	"bare": {&mcp.CallToolResult{StructuredContent: []string{"a"}}, []any{"a"}},
	"apart": {&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ana logged in"}}, StructuredContent: map[string]any{"password": "hunter2"}},
		map[string]any{"content": "ana logged in", "structured_content": map[string]any{"password": "hunter2"}}},
	"binary": {&mcp.CallToolResult{Content: []mcp.Content{
		&mcp.ImageContent{MIMEType: "image/png", Data: []byte("123")}, &mcp.AudioContent{MIMEType: "audio/wav", Data: []byte("12")},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///a", Text: "inside"}},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///b", MIMEType: "image/gif", Blob: []byte("1")}},
		&mcp.ResourceLink{URI: "file:///c", Name: "c"},
	}}, "[image image/png, 3 bytes]\n[audio audio/wav, 2 bytes]\n[resource file:///a]\ninside\n[resource file:///b, image/gif, 1 bytes]\n" +
		`{"type":"resource_link","uri":"file:///c","name":"c"}`},
}

func TestWhatHooksSeeOfResults(t *testing.T) {
	for name, c := range results {
		t.Run(name, func(t *testing.T) {
			e, noted := newEngine(t, ``)
			s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}}
			tool(s.server, "tool", func(*mcp.CallToolRequest) (*mcp.CallToolResult, error) { return c.result, nil })
			res := call(t, s.connect(t), "tool", nil)
			if len(res.Content) != len(c.result.Content) || (res.StructuredContent == nil) != (c.result.StructuredContent == nil) {
				t.Errorf("the client got %+v", res)
			}
			if got := noted.of(hooks.PostToolCall)[0].ToolCall.Output; !reflect.DeepEqual(got, c.seen) {
				t.Errorf("hooks saw %#v, want %#v", got, c.seen)
			}
		})
	}
}

func TestReplacedResults(t *testing.T) {
	for name, c := range map[string]struct {
		tool, hook string
		text       string
		structured any
		isError    bool
	}{
		"a text for an object":      {"same", `output("gone")`, "gone", nil, true},
		"an object for an object":   {"same", `output{ n = 8 }`, `{"n":8}`, map[string]any{"n": 8.0}, false},
		"a list for a list":         {"bare", `output{ "b" }`, `["b"]`, []any{"b"}, false},
		"a text for a text":         {"text", `output("gone")`, "gone", nil, false},
		"an object for a text":      {"text", `output{ n = 8 }`, `{"n":8}`, map[string]any{"n": 8.0}, false},
		"both parts":                {"apart", `output{ content = "ana", structured_content = { password = "***" } }`, "ana", map[string]any{"password": "***"}, false},
		"the structured part":       {"apart", `output{ structured_content = { password = "***" } }`, `{"password":"***"}`, map[string]any{"password": "***"}, false},
		"the text part":             {"apart", `output{ content = "ana" }`, "ana", nil, true},
		"an object with other keys": {"apart", `output{ content = "ana", more = 1 }`, `{"content":"ana","more":1}`, map[string]any{"content": "ana", "more": 1.0}, false},
		"a text for pictures":       {"binary", `output("no pictures")`, "no pictures", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := newEngine(t, `on("post_tool_call", function() return `+c.hook+` end)`)
			s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}}
			tool(s.server, "tool", func(*mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				res := *results[c.tool].result
				res.Meta = mcp.Meta{"shop/trace": "hunter2"}
				return &res, nil
			})
			res := call(t, s.connect(t), "tool", nil)
			reads(t, res, c.isError, c.text)
			if !reflect.DeepEqual(res.StructuredContent, c.structured) {
				t.Errorf("structured content: got %#v, want %#v", res.StructuredContent, c.structured)
			}
			if res.Meta["shop/trace"] != nil {
				t.Error("the tool's metadata is still there")
			}
		})
	}
}

func TestNotesDoNotChangeSharedResults(t *testing.T) {
	e, _ := newEngine(t, `
on("post_tool_call", { match = "tool" }, function() return context("be careful") end)
on("post_tool_call", { match = "last" }, function() return halt("enough") end)`)
	s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}}
	shared := &mcp.CallToolResult{Content: append(make([]mcp.Content, 0, 4), &mcp.TextContent{Text: "hello"})}
	tool(s.server, "tool", func(*mcp.CallToolRequest) (*mcp.CallToolResult, error) { return shared, nil })
	tool(s.server, "last", func(*mcp.CallToolRequest) (*mcp.CallToolResult, error) { return shared, nil })
	session := s.connect(t)
	for range 2 {
		reads(t, call(t, session, "tool", nil), false, "hello", "[hook test] be careful")
	}
	reads(t, call(t, session, "last", nil), false, "hello", "[hook] a hook ended the turn: enough")
	if len(shared.Content) != 1 || shared.Content[:2][1] != nil {
		t.Errorf("the tool's own result has become %+v", shared)
	}
}

func TestErrors(t *testing.T) {
	const script = `
on("post_tool_call", { match = "leaks" }, function(ev)
  return output((ev.tool_call.output:gsub("hunter2", "***")))
end)
on("post_tool_call", { match = "explained" }, function() return context("try another") end)`
	e, noted := newEngine(t, script)
	s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}}
	failing := func(code int64, text string) func(*mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return func(*mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, &jsonrpc.Error{Code: code, Message: text}
		}
	}
	tool(s.server, "broken", failing(-32000, "it broke"))
	tool(s.server, "leaks", failing(-32000, "no login for hunter2"))
	tool(s.server, "explained", failing(-32000, "it broke"))
	tool(s.server, "late", func(*mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res := &mcp.CallToolResult{}
		res.SetError(context.DeadlineExceeded)
		return res, nil
	})
	session := s.connect(t)
	for name, code := range map[string]int64{"broken": -32000, "nosuch": jsonrpc.CodeInvalidParams} {
		_, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: name})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != code {
			t.Errorf("%s: got %v, want the error of the protocol", name, err)
		}
	}
	reads(t, call(t, session, "leaks", nil), true, "no login for ***")
	reads(t, call(t, session, "explained", nil), true, "it broke", "[hook test#2] try another")
	reads(t, call(t, session, "late", nil), true, "context deadline exceeded")
	var outcomes []string
	for _, c := range noted.of(hooks.PostToolCall) {
		outcomes = append(outcomes, string(c.ToolCall.Outcome))
	}
	if got := strings.Join(outcomes, " "); got != "error error error error timeout" {
		t.Errorf("the outcomes were %s", got)
	}
}

func TestWithoutAnEngineNothingRuns(t *testing.T) {
	s := setup{server: newServer(), onClient: []mcp.Middleware{mcphook.Client(nil)}}
	ran := tool(s.server, "tool", text("ran"))
	session := s.connect(t)
	if res := call(t, session, "tool", nil); !res.IsError {
		t.Errorf("the client got %+v", res)
	}
	if _, lines := offered(t, session); lines != "" {
		t.Errorf("offered %s", lines)
	}
	ran.were(t, 0)
}
