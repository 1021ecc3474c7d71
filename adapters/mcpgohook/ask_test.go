package mcpgohook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/adapters/mcpgohook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const asks = `on("pre_tool_call", function(ev) return ask("needs a person") end)`

func TestAsk(t *testing.T) {
	eras(t, func(t *testing.T, version string) {
		again := ""
		if version == newer {
			again = "pre_tool_call+ "
		}
		for _, x := range []struct {
			action mcp.ElicitationResponseAction
			want   string
			events string
		}{
			{mcp.ElicitationResponseActionAccept, "done", "pre_tool_call permission_request " + again + "post_tool_call:ok"},
			{mcp.ElicitationResponseActionDecline, "a person was asked and said no: needs a person", "pre_tool_call permission_request " + again + "permission_denied+ post_tool_call:denied"},
			{mcp.ElicitationResponseActionCancel, "the user gave no answer", "pre_tool_call permission_request " + again + "permission_denied+ post_tool_call:denied"},
		} {
			w := newWorld(t, asks)
			s := server.NewMCPServer("x", "1", w.option())
			s.AddTool(mcp.NewTool("do"), text("done"))
			person := &asker{action: x.action}
			got, err := callTool(context.Background(), connect(t, s, version, person), "do", map[string]any{"n": 1})
			if err != nil {
				t.Fatal(err)
			}
			says(t, got, x.want)
			if version == older {
				x.events = strings.ReplaceAll(x.events, "+", "")
			}
			w.fired(t, x.events)
			if person.asked.Load() != 1 {
				t.Errorf("the person was asked %d times", person.asked.Load())
			}
			says(t, *person.last.Load(), "do", "needs a person", `{"n":1}`)
			var id string
			for _, c := range append(w.Of(hooks.PreToolCall), w.Of(hooks.PostToolCall)...) {
				if id == "" {
					id = c.ToolCall.ID
				}
				if c.ToolCall.ID != id {
					t.Errorf("the rounds of the call have the ids %s and %s", id, c.ToolCall.ID)
				}
			}
		}
	})
}

// TestClientThatCantAsk holds that the program answers in its place, and that without an answer
// the call is refused.
func TestClientThatCantAsk(t *testing.T) {
	eras(t, func(t *testing.T, version string) {
		for _, x := range []struct {
			want, events string
			options      []engine.Option
		}{
			{"there is nobody to ask: needs a person", "pre_tool_call permission_request permission_denied post_tool_call:denied", nil},
			{"done", "pre_tool_call permission_request post_tool_call:ok", []engine.Option{engine.WithAsk(func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { return true, nil })}},
		} {
			w := newWorld(t, asks, x.options...)
			s := server.NewMCPServer("x", "1", w.option())
			s.AddTool(mcp.NewTool("do"), text("done"))
			got, err := callTool(context.Background(), connect(t, s, version, nil), "do", nil)
			if err != nil {
				t.Fatal(err)
			}
			says(t, got, x.want)
			w.fired(t, x.events)
		}
	})
}

func TestLongInputsAreCutForThePerson(t *testing.T) {
	w := newWorld(t, asks)
	s := server.NewMCPServer("x", "1", w.option())
	s.AddTool(mcp.NewTool("do"), text("done"))
	person := &asker{action: mcp.ElicitationResponseActionAccept}
	if _, err := callTool(context.Background(), connect(t, s, newer, person), "do", map[string]any{"text": strings.Repeat("ä", 3000)}); err != nil {
		t.Fatal(err)
	}
	asked := *person.last.Load()
	if says(t, asked, "bytes more"); len(asked) > 3000 || strings.ContainsRune(asked, '\uFFFD') {
		t.Errorf("the person reads %d bytes: %s", len(asked), asked)
	}
}

// rounds calls a tool as a client of the newer protocol does, one round after the other.
type rounds struct {
	t *testing.T
	s *server.MCPServer
	n int
}

func (r *rounds) call(name string, arguments, answers, state string) (result *mcp.CallToolResult) {
	r.t.Helper()
	r.n++
	if answers == "" {
		answers = "{}"
	}
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"inputResponses":%s,"requestState":%q,
		"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`, r.n, name, arguments, answers, state, newer)
	sent, err := json.Marshal(r.s.HandleMessage(context.Background(), []byte(message)))
	if err != nil {
		r.t.Fatal(err)
	}
	var answer struct{ Result *mcp.CallToolResult }
	if err := json.Unmarshal(sent, &answer); err != nil || answer.Result == nil {
		r.t.Fatalf("%s: %v", sent, err)
	}
	return answer.Result
}

// TestAnswersCountForTheirQuestion has a client say yes to what it wasn't asked.
func TestAnswersCountForTheirQuestion(t *testing.T) {
	w := newWorld(t, asks)
	s := server.NewMCPServer("x", "1", w.option())
	ran := 0
	s.AddTool(mcp.NewTool("do"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ran++
		return mcp.NewToolResultText("done"), nil
	})
	s.AddTool(mcp.NewTool("other"), text("done"))
	r := &rounds{t: t, s: s}
	yes := `{"luahook_approval":{"action":"accept"}}`
	if !r.call("do", `{"n":1}`, yes, "").NeedsInput() {
		t.Error("a yes counts that nobody has asked for")
	}
	state := r.call("do", `{"n":1}`, "", "").RequestState
	prefix, signed, _ := strings.Cut(state, ".")
	other := "A"
	if signed[:1] == other {
		other = "B"
	}
	for name, result := range map[string]*mcp.CallToolResult{
		"another input":         r.call("do", `{"n":2}`, yes, state),
		"another tool":          r.call("other", `{"n":1}`, yes, state),
		"a state that was made": r.call("do", `{"n":1}`, yes, prefix+"."+other+signed[1:]),
	} {
		if !result.NeedsInput() {
			t.Errorf("a yes counts for %s", name)
		}
	}
	w.fired(t, strings.TrimSpace(strings.Repeat("pre_tool_call permission_request ", 5))) // none of them was begun again
	if result := r.call("do", `{"n":1}`, "", state); result.NeedsInput() || !result.IsError {
		t.Errorf("a question without an answer gave %+v", result)
	}
	if ran > 0 {
		t.Fatalf("the tool ran %d times", ran)
	}
	if r.call("do", `{"n":1}`, yes, state); ran != 1 {
		t.Error("a yes to the question doesn't count")
	}
}

// TestAnswerToAnotherRewrite has a hook change what would run between the question and the yes.
func TestAnswerToAnotherRewrite(t *testing.T) {
	target := "/tmp"
	w := newWorld(t, asks)
	if _, err := w.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "target"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return &hooks.Result{Input: map[string]any{"path": target}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	s := server.NewMCPServer("x", "1", w.option())
	s.AddTool(mcp.NewTool("do"), text("done"))
	r := &rounds{t: t, s: s}
	asked := r.call("do", `{}`, "", "")
	target = "/"
	if !r.call("do", `{}`, `{"luahook_approval":{"action":"accept"}}`, asked.RequestState).NeedsInput() {
		t.Error("a yes to /tmp counts for /")
	}
}

// curious asks its client's user for a name before it says anything.
func curious(seen *[]string) server.ToolHandlerFunc {
	return func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		keys := ""
		for key := range req.Params.InputResponses {
			keys += key
		}
		*seen = append(*seen, req.Params.RequestState+"/"+keys)
		if keys != "name" {
			return server.NewInputRequestBuilder("mine").Elicit("name", mcp.ElicitationParams{Message: "your name?", RequestedSchema: map[string]any{"type": "object"}}).ToolResult(), nil
		}
		return mcp.NewToolResultText("hello"), nil
	}
}

// TestToolAndHookAsk has both ask: each of them once, and the tool finds its own state and answers.
func TestToolAndHookAsk(t *testing.T) {
	eras(t, func(t *testing.T, version string) {
		w := newWorld(t, asks)
		s := server.NewMCPServer("x", "1", w.option())
		var seen []string
		s.AddTool(mcp.NewTool("greet"), curious(&seen))
		person := &asker{action: mcp.ElicitationResponseActionAccept}
		got, err := callTool(context.Background(), connect(t, s, version, person), "greet", nil)
		if err != nil {
			t.Fatal(err)
		}
		says(t, got, "hello")
		if person.asked.Load() != 2 {
			t.Errorf("the person was asked %d times, want twice", person.asked.Load())
		}
		if got := strings.Join(seen, " "); got != "/ mine/name" {
			t.Errorf("the tool got %s", got)
		}
		want := "pre_tool_call permission_request pre_tool_call+ pre_tool_call+ post_tool_call:ok"
		if version == older {
			want = "pre_tool_call permission_request pre_tool_call+ post_tool_call:ok"
		}
		w.fired(t, want)
	})
}

// TestHookAsksAfterTheTool has a hook ask when the tool has its answer already, which must not be
// lost.
func TestHookAsksAfterTheTool(t *testing.T) {
	w := newWorld(t, ``)
	calls := 0
	if _, err := w.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "late"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		if calls++; calls > 1 {
			return &hooks.Result{Decision: hooks.Ask, Reason: "now"}, nil
		}
		return nil, nil
	}); err != nil {
		t.Fatal(err)
	}
	s := server.NewMCPServer("x", "1", w.option())
	var seen []string
	s.AddTool(mcp.NewTool("greet"), curious(&seen))
	person := &asker{action: mcp.ElicitationResponseActionAccept}
	got, err := callTool(context.Background(), connect(t, s, newer, person), "greet", nil)
	if err != nil {
		t.Fatal(err)
	}
	if says(t, got, "hello"); person.asked.Load() != 2 || strings.Join(seen, " ") != "/ mine/name" {
		t.Errorf("the person was asked %d times, and the tool got %q", person.asked.Load(), seen)
	}
}

// TestToolWaits holds that a tool that waits for its client has no post_tool_call yet, and that
// its own state isn't touched.
func TestToolWaits(t *testing.T) {
	w := newWorld(t, ``)
	s := server.NewMCPServer("x", "1", w.option())
	var seen []string
	s.AddTool(mcp.NewTool("greet"), curious(&seen))
	s.AddTool(mcp.NewTool("page"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, mcp.URLElicitationRequiredError{}
	})
	r := &rounds{t: t, s: s}
	if state := r.call("greet", `{}`, "", "").RequestState; state != "mine" {
		t.Errorf("the tool's state came as %q", state)
	}
	w.fired(t, "pre_tool_call")
	if _, err := callTool(context.Background(), connect(t, s, older, nil), "page", nil); err == nil {
		t.Error("a page that the user has to see first is no error")
	}
	w.fired(t, "pre_tool_call pre_tool_call")
}

// TestBlockingAsk has the program's own function answer, also one that puts it off.
func TestBlockingAsk(t *testing.T) {
	eras(t, func(t *testing.T, version string) {
		var answer error
		w := newWorld(t, asks, engine.WithAsk(func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { return true, answer }))
		s := server.NewMCPServer("x", "1", mcpgohook.ServerOption(w.Engine, mcpgohook.WithBlockingAsk()))
		s.AddTool(mcp.NewTool("do"), text("done"))
		c := connect(t, s, version, client.ElicitationHandler(&asker{}))
		got, err := callTool(context.Background(), c, "do", nil)
		if err != nil {
			t.Fatal(err)
		}
		says(t, got, "done")
		answer = engine.ErrSuspended
		if got, err = callTool(context.Background(), c, "do", nil); err != nil {
			t.Fatal(err)
		}
		says(t, got, "!done", "needs a person")
		w.fired(t, "pre_tool_call permission_request post_tool_call:ok pre_tool_call permission_request")
	})
}
