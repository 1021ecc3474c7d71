package mcphook_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestSession(t *testing.T) {
	for _, version := range []string{"", before} {
		t.Run(version, func(t *testing.T) {
			e, noted := newEngine(t, `on("session_start", function(ev) return context("prices are in euros") end)`)
			s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}, version: version}
			tool(s.server, "tool", text("ran"))
			session := s.connect(t)
			call(t, session, "tool", nil)
			call(t, session, "tool", nil)
			if got := session.InitializeResult().Instructions; got != "Be brief.\n\nprices are in euros" {
				t.Errorf("the instructions are %q", got)
			}
			session.Close()
			end := ended(t, noted)
			noted.were(t, hooks.SessionStart, hooks.PreToolCall, hooks.PostToolCall, hooks.PreToolCall, hooks.PostToolCall, hooks.SessionEnd)
			for _, c := range noted.list {
				if c.SessionID == "" || c.SessionID != end.SessionID || c.AgentName != "agent" {
					t.Errorf("%s: session %q, agent %q", c.Event, c.SessionID, c.AgentName)
				}
			}
		})
	}
}

func TestSessionEndsWithTheEngine(t *testing.T) {
	e, noted := newEngine(t, ``)
	s := setup{server: newServer(), onServer: []mcp.Middleware{mcphook.Server(e)}}
	tool(s.server, "tool", text("ran"))
	session := s.connect(t)
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	noted.were(t, hooks.SessionStart, hooks.SessionEnd)
	if res := call(t, session, "tool", nil); !res.IsError {
		t.Errorf("a tool ran without an engine: %+v", res)
	}
}

// ended waits for a session_end.
func ended(t *testing.T, noted *events) *hooks.Context {
	t.Helper()
	select {
	case c := <-noted.ended:
		return c
	case <-time.After(20 * time.Second):
		t.Fatal("no session_end")
		return nil
	}
}

func TestSessionThatIsDenied(t *testing.T) {
	for _, version := range []string{"", before} {
		t.Run(version, func(t *testing.T) {
			e, noted := newEngine(t, `on("session_start", function() return deny("closed today") end)`)
			server := newServer()
			server.AddReceivingMiddleware(mcphook.Server(e))
			toServer, toClient := mcp.NewInMemoryTransports()
			serving, err := server.Connect(context.Background(), toClient, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).Connect(context.Background(), toServer, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err == nil || !strings.Contains(err.Error(), "closed today") {
				t.Errorf("the client got %v", err)
			}
			serving.Close()
			noted.were(t, hooks.SessionStart)
		})
	}
}

func TestSessionsOverHTTP(t *testing.T) {
	for name, c := range map[string]struct {
		options *mcp.StreamableHTTPOptions
		events  []hooks.Event
	}{
		"stateful":  {nil, []hooks.Event{hooks.SessionStart, hooks.PreToolCall, hooks.PostToolCall, hooks.SessionEnd}},
		"stateless": {&mcp.StreamableHTTPOptions{Stateless: true}, []hooks.Event{hooks.PreToolCall, hooks.PostToolCall}},
	} {
		t.Run(name, func(t *testing.T) {
			e, noted := newEngine(t, ``)
			server := newServer()
			server.AddReceivingMiddleware(mcphook.Server(e))
			tool(server, "tool", text("ran"))
			web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, c.options))
			defer web.Close()
			session, err := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: web.URL}, nil)
			if err != nil {
				t.Fatal(err)
			}
			reads(t, call(t, session, "tool", nil), false, "ran")
			id := session.ID()
			if err := session.Close(); err != nil {
				t.Error(err)
			}
			if c.options == nil {
				ended(t, noted)
			}
			noted.were(t, c.events...)
			for _, event := range noted.list {
				if event.SessionID != id {
					t.Errorf("%s: session %q, want %q", event.Event, event.SessionID, id)
				}
			}
		})
	}
}

func TestCallerOfARequestComesFirst(t *testing.T) {
	e, noted := newEngine(t, ``)
	s := setup{
		server: newServer(), ctx: engine.WithCaller(context.Background(), engine.Caller{SessionID: "mine", AgentName: "me"}),
		onServer: []mcp.Middleware{mcphook.Server(e, mcphook.WithCaller(engine.Caller{AgentID: "a7", AgentName: "unused"}))},
	}
	tool(s.server, "tool", text("ran"))
	call(t, s.connect(t), "tool", nil)
	if c := noted.of(hooks.PreToolCall)[0]; c.SessionID != "mine" || c.AgentName != "me" || c.AgentID != "a7" {
		t.Errorf("the caller is %q, %q, %q", c.SessionID, c.AgentName, c.AgentID)
	}
}

func TestSayingThatItIsNotInnermost(t *testing.T) {
	other := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			return next(ctx, method, req)
		}
	}
	for name, add := range map[string]func(e *engine.Engine, o mcphook.Option, first bool){
		"server": func(e *engine.Engine, o mcphook.Option, first bool) {
			s := newServer()
			if !first {
				s.AddReceivingMiddleware(other)
			}
			s.AddReceivingMiddleware(mcphook.Server(e, o))
			s.AddReceivingMiddleware(other)
		},
		"client": func(e *engine.Engine, o mcphook.Option, first bool) {
			for _, options := range []*mcp.ClientOptions{nil, byHand} {
				c := mcp.NewClient(&mcp.Implementation{Name: "agent"}, options)
				if !first {
					c.AddSendingMiddleware(other)
				}
				c.AddSendingMiddleware(mcphook.Client(e, o))
				c.AddSendingMiddleware(other)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := newEngine(t, ``)
			var messages told
			add(e, mcphook.WithMessages(messages.take), true)
			if got := messages.all(); got != "" {
				t.Errorf("added first, it says %q", got)
			}
			add(e, mcphook.WithMessages(messages.take), false)
			if got := messages.all(); !strings.Contains(got, "TestSayingThatItIsNotInnermost") || !strings.Contains(got, "add luahook's first") {
				t.Errorf("added second, it says %q", got)
			}
		})
	}
}
