package mcpgohook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/adapters/mcpgohook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func call(t *testing.T, s *server.MCPServer, name string, input map[string]any) string {
	t.Helper()
	got, err := callTool(context.Background(), connect(t, s, newer, nil), name, input)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestRewriteReachesEveryReader reads a rewritten input in each of the ways that mcp-go has.
func TestRewriteReachesEveryReader(t *testing.T) {
	w := newWorld(t, ``)
	if _, err := w.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "rewrite"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return &hooks.Result{Input: map[string]any{"name": "new", "count": 7, "big": int64(9007199254740993)}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	s := server.NewMCPServer("x", "1", w.option())
	s.AddTool(mcp.NewTool("order"), func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var bound struct {
			Name  string
			Count int
			Big   int64
			Old   string
		}
		if err := req.BindArguments(&bound); err != nil {
			return nil, err
		}
		raw, err := json.Marshal(req.GetRawArguments())
		if err != nil {
			return nil, err
		}
		return mcp.NewToolResultText(fmt.Sprintf("%v|%s|%d|%v|%s", bound, req.GetString("name", ""), req.GetInt("count", 0), len(req.GetArguments()), raw)), nil
	})
	got := call(t, s, "order", map[string]any{"name": "old", "old": "gone", "count": 1})
	if want := `{new 7 9007199254740993 }|new|7|3|{"big":9007199254740993,"count":7,"name":"new"}`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestArgumentsOfAnOuterMiddleware has a middleware change the map and leave the bytes, which a
// tool may read as well.
func TestArgumentsOfAnOuterMiddleware(t *testing.T) {
	w := newWorld(t, `on("pre_tool_call", function(ev) if ev.tool_call.input.path == "/etc" then return deny("not there") end end)`)
	to := "/etc"
	s := server.NewMCPServer("x", "1", server.WithToolHandlerMiddleware(func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			req.Params.Arguments = map[string]any{"path": to}
			return next(ctx, req)
		}
	}), w.option())
	s.AddTool(mcp.NewTool("read"), func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(string(req.Params.RawArguments) + req.GetString("path", "")), nil
	})
	says(t, call(t, s, "read", map[string]any{"path": "/tmp"}), "not there")
	to = "/home"
	says(t, call(t, s, "read", map[string]any{"path": "/etc"}), `{"path":"/home"}/home`, "!/etc")
	if len(w.messages) > 0 {
		t.Errorf("a middleware outside is told of: %q", w.messages)
	}
}

func TestInputThatCanBeReadInTwoWays(t *testing.T) {
	w := newWorld(t, ``)
	s := server.NewMCPServer("x", "1", w.option())
	s.AddTool(mcp.NewTool("read"), text("ran"))
	answer, err := json.Marshal(s.HandleMessage(context.Background(), []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"a":1,"a":2}}}`)))
	if err != nil {
		t.Fatal(err)
	}
	says(t, string(answer), "can't be used", `"isError":true`, "!ran")
	w.fired(t, "")
}

// TestStructuredContent has hooks look at results whose text says something other than their
// structured content, and puts other ones in their place.
func TestStructuredContent(t *testing.T) {
	w := newWorld(t, `
on("post_tool_call", { match = "to_text" }, function(ev) return output("redacted") end)
on("post_tool_call", { match = "to_parts" }, function(ev)
  local out = ev.tool_call.output
  return output{ content = out.content:gsub("hunter2", "***"), structured_content = { password = "***" } }
end)`)
	s := server.NewMCPServer("x", "1", w.option())
	for _, name := range []string{"to_text", "to_parts", "as_is"} {
		s.AddTool(mcp.NewTool(name), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r := mcp.NewToolResultStructured(map[string]any{"password": "hunter2"}, "it is hunter2")
			r.Content = append(r.Content, mcp.NewImageContent("aHVudGVyMg==", "image/png"))
			r.Meta = mcp.NewMetaFromMap(map[string]any{"copy": "hunter2"})
			return r, nil
		})
	}
	c := connect(t, s, newer, nil)
	get := func(name string) *mcp.CallToolResult {
		var req mcp.CallToolRequest
		req.Params.Name = name
		r, err := c.CallTool(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for name, want := range map[string]string{
		"to_text":  `{"content":[{"type":"text","text":"redacted"}],"isError":true}`,
		"to_parts": `{"content":[{"type":"text","text":"it is ***\n[image image/png, 9 bytes]"}],"structuredContent":{"password":"***"}}`,
	} {
		r := get(name)
		if r.Meta != nil && r.Meta.AdditionalFields["copy"] != nil {
			t.Errorf("%s: the tool's metadata came along", name)
		}
		r.ResultType, r.Meta = "", nil
		got, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(want), &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if r := get("as_is"); len(r.Content) != 2 || r.Meta == nil || r.StructuredContent == nil {
		t.Errorf("a result that no hook has replaced came as %+v", r)
	}
	for _, post := range w.Of(hooks.PostToolCall) {
		if got := engine.TextOf(post.ToolCall.Output); got != `{"content":"it is hunter2\n[image image/png, 9 bytes]","structured_content":{"password":"hunter2"}}` {
			t.Errorf("hooks saw %s", got)
		}
	}
}

// TestNotesLeaveTheResultAlone has a tool give the same result twice.
func TestNotesLeaveTheResultAlone(t *testing.T) {
	w := newWorld(t, `on("post_tool_call", function(ev) return context("mind the gap") end)`)
	s := server.NewMCPServer("x", "1", w.option())
	same := mcp.NewToolResultText("kept")
	same.Content = append(make([]mcp.Content, 0, 8), same.Content...)
	s.AddTool(mcp.NewTool("keep"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return same, nil })
	for range 2 {
		if got := call(t, s, "keep", nil); strings.Count(got, "mind the gap") != 1 {
			t.Errorf("got %q", got)
		}
	}
	if more := same.Content[:2][1]; len(same.Content) != 1 || more != nil {
		t.Errorf("the tool's result has %d parts now, and behind them %v", len(same.Content), more)
	}
}

// TestErrors holds that a tool's own error stays what it is, unless a hook has something to say.
func TestErrors(t *testing.T) {
	w := newWorld(t, `
on("post_tool_call", { match = "noted" }, function(ev) return context("try again") end)
on("post_tool_call", { match = "redacted" }, function(ev) return output((ev.tool_call.output:gsub("hunter2", "***"))) end)`)
	s := server.NewMCPServer("x", "1", w.option())
	for _, name := range []string{"plain", "noted", "redacted"} {
		s.AddTool(mcp.NewTool(name), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New("no such password: hunter2")
		})
	}
	s.AddTool(mcp.NewTool("nothing"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	s.AddTool(mcp.NewTool("reported"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("it failed"), nil
	})
	s.AddTool(mcp.NewTool("panics"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("out of cheese") })
	c := connect(t, s, newer, nil)
	for _, x := range []struct {
		tool    string
		want    string
		isError bool // of the protocol, not of the tool
	}{
		{"plain", "no such password: hunter2", true},
		{"nothing", "neither a result nor an error", true},
		{"noted", "no such password: hunter2\n[hook policy] try again", false},
		{"redacted", "no such password: ***", false},
		{"reported", "it failed", false},
		{"panics", "it panicked: out of cheese", false},
	} {
		got, err := callTool(context.Background(), c, x.tool, nil)
		if err != nil {
			got = err.Error()
		}
		if says(t, got, x.want); (err != nil) != x.isError {
			t.Errorf("%s: the error is %v", x.tool, err)
		}
	}
	for _, post := range w.Of(hooks.PostToolCall) {
		if post.ToolCall.Outcome != hooks.OutcomeError || post.Error == nil {
			t.Errorf("%s has outcome %s and error %v", post.ToolCall.Name, post.ToolCall.Outcome, post.Error)
		}
	}
	if n := len(w.Of(hooks.PostToolCall)); n != 6 {
		t.Errorf("%d events of post_tool_call, want 6", n)
	}
}

func TestHaltAfterTheCall(t *testing.T) {
	w := newWorld(t, `on("post_tool_call", function(ev) return halt("the budget is used up") end)`)
	s := server.NewMCPServer("x", "1", w.option())
	s.AddTool(mcp.NewTool("spend"), text("spent"))
	says(t, call(t, s, "spend", nil), "spent", "this turn is over", "the budget is used up")
}

// TestPlace holds that the adapter says where it isn't innermost, once.
func TestPlace(t *testing.T) {
	w := newWorld(t, ``)
	s := server.NewMCPServer("x", "1", w.option(), server.WithRecovery(), server.WithHooks(&server.Hooks{}))
	s.AddTool(mcp.NewTool("a"), text("a"))
	call(t, s, "a", nil)
	call(t, s, "a", nil)
	if got := strings.Join(w.messages, "\n"); len(w.messages) != 2 {
		t.Errorf("it was told: %s", got)
	} else {
		says(t, got, "stands between", "server.WithHooks has replaced")
	}
}

// TestEngines holds that nothing runs under an engine that can't judge.
func TestEngines(t *testing.T) {
	closed := newWorld(t, ``)
	if err := closed.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]*engine.Engine{"nil": nil, "closed": closed.Engine} {
		s := server.NewMCPServer("x", "1", mcpgohook.ServerOption(e))
		s.AddTool(mcp.NewTool("a"), text("ran"))
		answer, err := json.Marshal(s.HandleMessage(context.Background(), []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`)))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { says(t, string(answer), "!ran", `"isError":true`, "judge") })
	}
}

// TestBodyContext holds what a tool finds in its context.
func TestBodyContext(t *testing.T) {
	w := newWorld(t, ``)
	s := server.NewMCPServer("x", "1", mcpgohook.ServerOption(w.Engine, mcpgohook.WithCaller(engine.Caller{CWD: "/work", AgentName: "none"})))
	s.AddTool(mcp.NewTool("who"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		_, ok := engine.FromContext(ctx)
		c := engine.CallerFrom(ctx)
		return mcp.NewToolResultText(fmt.Sprintln(ok, c.AgentName, c.CWD, c.SessionID != "", server.ServerFromContext(ctx) == s)), nil
	})
	if got := call(t, s, "who", nil); got != "true agent /work true true\n" {
		t.Errorf("got %s", got)
	}
	pre, post := w.Of(hooks.PreToolCall), w.Of(hooks.PostToolCall)
	if len(pre) != 1 || len(post) != 1 || pre[0].ToolCall.ID == "" || pre[0].ToolCall.ID != post[0].ToolCall.ID {
		t.Errorf("the events of the call have different ids: %v %v", pre, post)
	}
}
