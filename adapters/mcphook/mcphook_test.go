package mcphook_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// before is the newest protocol in which a server sends requests of its own.
const before = "2025-11-25"

// newEngine has the script's hooks, and notes all events.
func newEngine(t *testing.T, script string, o ...engine.Option) (*engine.Engine, *events) {
	t.Helper()
	e, err := engine.New(append(o, engine.WithoutBuiltins(), engine.WithScript("test.lua", script))...)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range e.LoadErrors() {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	noted := &events{ended: make(chan *hooks.Context, 10)}
	for _, info := range hooks.Events() {
		if _, err := e.RegisterHook(info.Name, hooks.Options{Name: "note", Priority: 1000}, noted.note); err != nil {
			t.Fatal(err)
		}
	}
	return e, noted
}

// events are those that were fired.
type events struct {
	mu    sync.Mutex
	list  []*hooks.Context
	ended chan *hooks.Context // each session_end
}

func (n *events) note(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
	if c.Judging {
		return nil, nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, c)
	if c.Event == hooks.SessionEnd {
		n.ended <- c
	}
	return nil, nil
}

func (n *events) of(name hooks.Event) (list []*hooks.Context) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.list {
		if c.Event == name {
			list = append(list, c)
		}
	}
	return list
}

// were fails unless exactly these events were fired, in that order.
func (n *events) were(t *testing.T, names ...hooks.Event) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	var got []hooks.Event
	for _, c := range n.list {
		got = append(got, c.Event)
	}
	if !slices.Equal(got, names) {
		t.Errorf("the events were %v, want %v", got, names)
	}
}

// told are messages of hooks.
type told struct {
	mu    sync.Mutex
	texts []string
}

func (m *told) take(_ context.Context, message mcphook.Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.texts = append(m.texts, message.Text)
}

func (m *told) all() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Join(m.texts, "\n")
}

// setup is a server and its client.
type setup struct {
	server   *mcp.Server
	onServer []mcp.Middleware // in the order in which they are added
	onClient []mcp.Middleware
	options  *mcp.ClientOptions
	version  string // of the protocol; "": the newest
	ctx      context.Context
}

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "Corner Shop", Version: "1"}, &mcp.ServerOptions{Instructions: "Be brief."})
}

// connect connects both in memory.
func (s setup) connect(t *testing.T) *mcp.ClientSession {
	t.Helper()
	for _, m := range s.onServer {
		s.server.AddReceivingMiddleware(m)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, s.options)
	for _, m := range s.onClient {
		client.AddSendingMiddleware(m)
	}
	if s.ctx == nil {
		s.ctx = context.Background()
	}
	toServer, toClient := mcp.NewInMemoryTransports()
	if _, err := s.server.Connect(s.ctx, toClient, nil); err != nil {
		t.Fatal(err)
	}
	session, err := client.Connect(context.Background(), toServer, &mcp.ClientSessionOptions{ProtocolVersion: s.version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// tool adds a tool that counts its calls.
func tool(s *mcp.Server, name string, body func(r *mcp.CallToolRequest) (*mcp.CallToolResult, error)) *calls {
	seen := &calls{}
	s.AddTool(&mcp.Tool{Name: name, Description: "does " + name, InputSchema: map[string]any{"type": "object"}}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		seen.mu.Lock()
		seen.list = append(seen.list, *r.Params)
		seen.mu.Unlock()
		return body(r)
	})
	return seen
}

type calls struct {
	mu   sync.Mutex
	list []mcp.CallToolParamsRaw
}

func (c *calls) were(t *testing.T, n int) []mcp.CallToolParamsRaw {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.list) != n {
		t.Fatalf("the tool ran %d times, want %d", len(c.list), n)
	}
	return c.list
}

func text(s string) func(*mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return func(*mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}, nil
	}
}

func call(t *testing.T, s *mcp.ClientSession, name string, arguments any) *mcp.CallToolResult {
	t.Helper()
	res, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res
}

// reads fails unless a result is of that kind and has these texts.
func reads(t *testing.T, res *mcp.CallToolResult, isError bool, texts ...string) {
	t.Helper()
	var got []string
	for _, c := range res.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			got = append(got, text.Text)
		} else {
			got = append(got, fmt.Sprintf("%T", c))
		}
	}
	if res.IsError != isError || !slices.Equal(got, texts) {
		t.Errorf("got %q, error %t, want %q, error %t", got, res.IsError, texts, isError)
	}
}
