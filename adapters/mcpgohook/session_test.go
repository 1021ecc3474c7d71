package mcpgohook_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// TestSession holds that each session has its two events, once, beside the server's own hooks.
func TestSession(t *testing.T) {
	w := newWorld(t, ``)
	own := &server.Hooks{}
	registered := 0
	own.AddOnRegisterSession(func(context.Context, server.ClientSession) { registered++ })
	s := server.NewMCPServer("x", "1", server.WithHooks(own), w.option())
	s.AddTool(mcp.NewTool("a"), text("a"))
	for range 2 {
		c := connect(t, s, older, nil)
		for range 2 {
			if _, err := callTool(context.Background(), c, "a", nil); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	starts, ends, calls := w.Of(hooks.SessionStart), w.Of(hooks.SessionEnd), w.Of(hooks.PreToolCall)
	if len(starts) != 2 || len(ends) != 2 || registered != 2 {
		t.Fatalf("%d began, %d ended, the server's own hook heard of %d; want 2 each", len(starts), len(ends), registered)
	}
	for i := range 2 {
		if starts[i].SessionID == "" || starts[i].SessionID != ends[i].SessionID || starts[i].SessionID != calls[2*i].SessionID {
			t.Errorf("session %q ended as %q and called as %q", starts[i].SessionID, ends[i].SessionID, calls[2*i].SessionID)
		}
	}
}

// TestSessionThatOutlivesTheEngine has a program close its engine before its server.
func TestSessionThatOutlivesTheEngine(t *testing.T) {
	w := newWorld(t, ``)
	c := connect(t, server.NewMCPServer("x", "1", w.option()), older, nil)
	if err := w.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	ends := w.Of(hooks.SessionEnd)
	if len(ends) != 1 || ends[0].Fields["reason"] != "closed" || ends[0].AgentName != "agent" {
		t.Errorf("session_end: %+v, want one of the client named agent", ends)
	}
}

func TestSessionDenied(t *testing.T) {
	eras(t, func(t *testing.T, version string) {
		w := newWorld(t, `on("session_start", function(ev) return deny("not on Sundays") end)`)
		s := server.NewMCPServer("x", "1", w.option())
		s.AddTool(mcp.NewTool("a"), text("a"))
		c, err := client.NewInProcessClient(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		var init mcp.InitializeRequest
		init.Params.ProtocolVersion = version
		if _, err := c.Initialize(context.Background(), init); err == nil {
			t.Error("the session goes on")
		} else {
			says(t, err.Error(), "not on Sundays")
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if len(w.Of(hooks.SessionEnd)) > 0 {
			t.Error("a session that never began has ended")
		}
	})
}

// TestSessionContext holds that what hooks add to a session is given once: with the server's
// instructions, or where the client had read those before, with a result.
func TestSessionContext(t *testing.T) {
	w := newWorld(t, `on("session_start", function(ev) return context("it is the blue team") end)`)
	s := server.NewMCPServer("x", "1", server.WithInstructions("be brief"), w.option())
	s.AddTool(mcp.NewTool("a"), text("done"))
	overHTTP := httptest.NewServer(server.NewStreamableHTTPServer(s))
	defer overHTTP.Close()
	for _, x := range []struct {
		version, url         string
		instructions, result bool
	}{
		{older, "", true, false},
		{newer, "", false, true},
		{older, overHTTP.URL, false, true},
	} {
		c, err := client.NewInProcessClient(s)
		if x.url != "" {
			c, err = client.NewStreamableHttpClient(x.url)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		var init mcp.InitializeRequest
		init.Params.ProtocolVersion = x.version
		read, err := c.Initialize(context.Background(), init)
		if err != nil {
			t.Fatal(err)
		}
		said := []bool{strings.Contains(read.Instructions, "be brief\n\nit is the blue team")}
		for range 2 {
			got, err := callTool(context.Background(), c, "a", nil)
			if err != nil {
				t.Fatal(err)
			}
			said = append(said, strings.Contains(got, "[hook] it is the blue team"))
		}
		if said[0] != x.instructions || said[1] != x.result || said[2] {
			t.Errorf("%+v: said with the instructions, the first and the second result: %v", x, said)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if starts, ends := len(w.Of(hooks.SessionStart)), len(w.Of(hooks.SessionEnd)); starts != 3 || ends != 3 {
		t.Errorf("%d sessions began, and %d ended, want 3", starts, ends)
	}
}

// TestStdioSession holds that a session over stdio can be told from that of another process.
func TestStdioSession(t *testing.T) {
	w := newWorld(t, ``)
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")
	var out strings.Builder
	if err := server.NewStdioServer(server.NewMCPServer("x", "1", w.option())).Listen(context.Background(), in, &out); err != nil {
		t.Fatal(err)
	}
	starts, ends := w.Of(hooks.SessionStart), w.Of(hooks.SessionEnd)
	if len(starts) != 1 || len(ends) != 1 || len(starts[0].SessionID) < 20 || starts[0].SessionID != ends[0].SessionID {
		t.Errorf("the session began as %+v and ended as %+v", starts, ends)
	}
}

// TestSessionTools calls a tool that one session alone has.
func TestSessionTools(t *testing.T) {
	w := newWorld(t, `on("pre_tool_call", function(ev) return deny("not allowed") end)`)
	own := &server.Hooks{}
	s := server.NewMCPServer("x", "1", server.WithToolCapabilities(true), server.WithHooks(own), w.option())
	own.AddOnRegisterSession(func(_ context.Context, session server.ClientSession) {
		if err := s.AddSessionTool(session.SessionID(), mcp.NewTool("mine"), text("ran")); err != nil {
			t.Error(err)
		}
	})
	overHTTP := httptest.NewServer(server.NewStreamableHTTPServer(s))
	defer overHTTP.Close()
	c, err := client.NewStreamableHttpClient(overHTTP.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	var init mcp.InitializeRequest
	init.Params.ProtocolVersion = older
	if _, err := c.Initialize(context.Background(), init); err != nil {
		t.Fatal(err)
	}
	got, err := callTool(context.Background(), c, "mine", nil)
	if err != nil {
		t.Fatal(err)
	}
	says(t, got, "not allowed", "!ran")
	if len(w.messages) > 0 {
		t.Errorf("it was told: %q", w.messages)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestWithoutSessions has a client of the newer protocol call over HTTP, where there are none.
func TestWithoutSessions(t *testing.T) {
	w := newWorld(t, asks)
	s := server.NewMCPServer("x", "1", w.option())
	s.AddTool(mcp.NewTool("a"), text("done"))
	overHTTP := httptest.NewServer(server.NewStreamableHTTPServer(s))
	defer overHTTP.Close()
	c, err := client.NewStreamableHttpClient(overHTTP.URL)
	if err != nil {
		t.Fatal(err)
	}
	person := &asker{action: mcp.ElicitationResponseActionAccept}
	client.WithElicitationHandler(person)(c)
	if err := c.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var init mcp.InitializeRequest
	init.Params.ProtocolVersion, init.Params.ClientInfo = newer, mcp.Implementation{Name: "agent", Version: "1"}
	if _, err := c.Initialize(context.Background(), init); err != nil {
		t.Fatal(err)
	}
	got, err := callTool(context.Background(), c, "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	says(t, got, "done")
	w.fired(t, "pre_tool_call permission_request pre_tool_call+ post_tool_call:ok")
	for _, c := range w.Of(hooks.PreToolCall) {
		if c.AgentName != "agent" {
			t.Errorf("the client is called %q", c.AgentName)
		}
	}
	if len(w.Of(hooks.SessionStart)) > 0 {
		t.Error("a session began where the protocol has none")
	}
}
