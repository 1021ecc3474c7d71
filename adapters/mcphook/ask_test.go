package mcphook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const asking = `
on("pre_tool_call", { match = "deploy" }, function(ev)
  if ev.tool_call.input.to then return { decision = "ask", reason = "prod?", input = { to = ev.tool_call.input.to, dry = true } } end
  return ask("anywhere?")
end)
on("permission_request", { match = "deploy" }, function(ev)
  if ev.tool_call.input.to == "moon" then return deny("too far") end
end)`

// answering is a client whose user answers so, and counts how often.
func answering(action string, times *int, message *string) *mcp.ClientOptions {
	return &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		*times++
		*message = r.Params.Message
		return &mcp.ElicitResult{Action: action}, nil
	}}
}

func TestClientAsksItsUser(t *testing.T) {
	for _, version := range []string{"", before} {
		for action, want := range map[string]string{
			"accept": "deployed", "decline": "a person was asked and said no: prod?",
			"cancel": "a person would have to allow this, and asking failed (the question was dismissed): prod?",
		} {
			t.Run(version+action, func(t *testing.T) {
				e, noted := newEngine(t, asking)
				s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}, version: version}
				ran := tool(s.server, "deploy", text("deployed"))
				times, message := 0, ""
				s.options = answering(action, &times, &message)
				reads(t, call(t, s.connect(t), "deploy", map[string]any{"to": "prod"}), action != "accept", want)
				if action == "accept" {
					if got := string(ran.were(t, 1)[0].Arguments); got != `{"dry":true,"to":"prod"}` {
						t.Errorf("the tool got %s", got)
					}
				} else {
					ran.were(t, 0)
				}
				if times != 1 || message != "prod?\n\ndeploy {\"dry\":true,\"to\":\"prod\"}" {
					t.Errorf("asked %d times, last %q", times, message)
				}
				if n := len(noted.of(hooks.PermissionRequest)); n != 1 {
					t.Errorf("permission_request was fired %d times", n)
				}
				if n := len(noted.of(hooks.PostToolCall)); n != 1 {
					t.Errorf("post_tool_call was fired %d times", n)
				}
			})
		}
	}
}

func TestClientThatCannotAsk(t *testing.T) {
	e, _ := newEngine(t, asking)
	s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}}
	tool(s.server, "deploy", text("deployed"))
	reads(t, call(t, s.connect(t), "deploy", nil), true, "a person would have to allow this, and there is nobody to ask: anywhere?")

	e, _ = newEngine(t, asking, engine.WithAsk(func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { return true, nil }))
	s = setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}}
	tool(s.server, "deploy", text("deployed"))
	reads(t, call(t, s.connect(t), "deploy", nil), false, "deployed")
}

// byHand is a client that answers questions in its own calls.
var byHand = &mcp.ClientOptions{
	MultiRoundTrip:     &mcp.MultiRoundTripOptions{Disabled: true},
	ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return nil, errors.New("not me") },
}

func TestAnswersCountForWhatWasAskedAbout(t *testing.T) {
	e, noted := newEngine(t, asking)
	s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}, options: byHand}
	ran := tool(s.server, "deploy", text("deployed"))
	session := s.connect(t)
	yes := func(id string) mcp.InputResponseMap {
		return mcp.InputResponseMap{id: &mcp.ElicitResult{Action: "accept"}}
	}
	again := func(to, id, state string) *mcp.CallToolResult {
		t.Helper()
		p := &mcp.CallToolParams{Name: "deploy", Arguments: map[string]any{"to": to}, RequestState: state}
		if id != "" {
			p.InputResponses = yes(id)
		}
		res, err := session.CallTool(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	question := func(res *mcp.CallToolResult) (id string) {
		t.Helper()
		if !res.NeedsInput() || len(res.InputRequests) != 1 {
			t.Fatalf("want a question, got %+v", res)
		}
		for id = range res.InputRequests {
		}
		return id
	}
	id := question(again("prod", "", ""))
	forged := id[:len(id)-1] + string('0'+(id[len(id)-1]+1)%10)
	question(again("test", id, ""))             // asked about another call
	question(again("prod", forged, ""))         // not asked by us
	question(again("prod", "", forged+":"))     // said to be answered before
	question(again("prod", "luahook-ask-", "")) // no id of ours
	ran.were(t, 0)

	// Hooks of permission_request hear of a call that claims to have been asked about.
	requests := len(noted.of(hooks.PermissionRequest))
	reads(t, again("moon", id, ""), true, "too far")
	if n := len(noted.of(hooks.PermissionRequest)); n != requests+1 {
		t.Errorf("permission_request was fired %d times more, want once", n-requests)
	}

	reads(t, again("prod", id, ""), false, "deployed")
	got := ran.were(t, 1)[0]
	if got.InputResponses != nil || got.RequestState != "" {
		t.Errorf("the tool got the answer to the hook's question: %+v", got)
	}
	if pre := noted.of(hooks.PreToolCall); !pre[len(pre)-1].ToolCall.Resumed {
		t.Error("the call that was made again doesn't say so")
	}
}

func TestAnswersCountForWhatWasShown(t *testing.T) {
	e, _ := newEngine(t, ``)
	amount := 0
	_, err := e.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "amount"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		amount++
		return &hooks.Result{Decision: hooks.Ask, Reason: "pay?", Input: map[string]any{"amount": amount}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}, options: byHand}
	ran := tool(s.server, "pay", text("paid"))
	session := s.connect(t)
	p := &mcp.CallToolParams{Name: "pay"}
	for range 3 {
		res, err := session.CallTool(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if !res.NeedsInput() {
			t.Fatalf("a yes to another amount counted: %+v", res)
		}
		p.InputResponses = mcp.InputResponseMap{}
		for id := range res.InputRequests {
			p.InputResponses[id] = &mcp.ElicitResult{Action: "accept"}
		}
	}
	ran.were(t, 0)
}

func TestToolThatAsksItselfAfterAHook(t *testing.T) {
	for _, version := range []string{"", before} {
		t.Run(version, func(t *testing.T) {
			e, noted := newEngine(t, asking)
			s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}, version: version}
			ran := tool(s.server, "deploy", func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				answer, ok := r.Params.InputResponses["colour"].(*mcp.ElicitResult)
				if !ok {
					res := &mcp.CallToolResult{RequestState: "round:1"}
					res.InputRequests = mcp.InputRequestMap{"colour": &mcp.ElicitParams{Mode: "form", Message: "which colour?"}}
					return res, nil
				}
				return text("painted " + answer.Action + " " + r.Params.RequestState)(r)
			})
			var asked []string
			s.options = &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked = append(asked, strings.SplitN(r.Params.Message, "\n", 2)[0])
				return &mcp.ElicitResult{Action: "accept"}, nil
			}}
			reads(t, call(t, s.connect(t), "deploy", nil), false, "painted accept round:1")
			if got := fmt.Sprint(asked); got != "[anywhere? which colour?]" {
				t.Errorf("asked %s", got)
			}
			ran.were(t, 2)
			if posts := noted.of(hooks.PostToolCall); len(posts) != 1 || posts[0].ToolCall.Output != "painted accept round:1" {
				t.Errorf("post_tool_call: %v", posts)
			}
		})
	}
}

func TestURLElicitationIsNoEnd(t *testing.T) {
	e, noted := newEngine(t, ``)
	s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}}
	tool(s.server, "pay", func(*mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{Mode: "url", URL: "https://pay.example", ElicitationID: "1"}})
	})
	_, err := s.connect(t).CallTool(context.Background(), &mcp.CallToolParams{Name: "pay"})
	if err == nil || !strings.Contains(err.Error(), "URL elicitation required") {
		t.Errorf("got %v", err)
	}
	if n := len(noted.of(hooks.PostToolCall)); n != 0 {
		t.Errorf("post_tool_call was fired %d times for a call that waits", n)
	}
}

func TestDoubledKeysAreRefused(t *testing.T) {
	e, noted := newEngine(t, ``)
	s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}}
	ran := tool(s.server, "deploy", text("deployed"))
	res := call(t, s.connect(t), "deploy", json.RawMessage(`{"to":"test","to":"prod"}`))
	if !res.IsError || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "can't be judged") {
		t.Errorf("got %+v", res)
	}
	ran.were(t, 0)
	if n := len(noted.of(hooks.PreToolCall)); n != 0 {
		t.Errorf("pre_tool_call was fired %d times", n)
	}
}
