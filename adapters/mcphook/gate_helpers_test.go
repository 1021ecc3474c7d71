package mcphook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// side is a client or a server that a test plays, message by message.
type side struct {
	t         testing.TB
	says      chan jsonrpc.Message
	hears     chan jsonrpc.Message
	closed    chan struct{}
	closeOnce sync.Once
}

func newSide(t testing.TB) *side {
	return &side{t: t, says: make(chan jsonrpc.Message), hears: make(chan jsonrpc.Message, 4096), closed: make(chan struct{})}
}

func (s *side) Connect(context.Context) (mcp.Connection, error) { return s, nil }
func (s *side) SessionID() string                               { return "" }

func (s *side) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-s.says:
		return m, nil
	case <-s.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *side) Write(ctx context.Context, m jsonrpc.Message) error {
	select {
	case <-s.closed:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	case s.hears <- m:
		return nil
	}
}

func (s *side) Close() error {
	s.closeOnce.Do(func() { close(s.closed) })
	return nil
}

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// say sends a message, as JSON.
func (s *side) say(text string) {
	s.t.Helper()
	m, err := jsonrpc.DecodeMessage([]byte(text))
	if err != nil {
		s.t.Fatalf("%v: %s", err, text)
	}
	select {
	case s.says <- m:
	case <-time.After(patience):
		s.t.Fatalf("nobody takes %s", text)
	}
}

// next is the next message that this side gets.
func (s *side) next() string {
	s.t.Helper()
	select {
	case m := <-s.hears:
		return messageText(s.t, m)
	case <-time.After(patience):
		s.t.Fatal("nothing comes")
		return ""
	}
}

func messageText(t testing.TB, m jsonrpc.Message) string {
	t.Helper()
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// want checks the next message that this side gets.
func (s *side) want(text string) {
	s.t.Helper()
	if got := s.next(); got != text {
		s.t.Fatalf("got  %s\nwant %s", got, text)
	}
}

// wantParts checks for texts in the next message, and gives it.
func (s *side) wantParts(parts ...string) string {
	s.t.Helper()
	got := s.next()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			s.t.Fatalf("got %s\nwithout %s", got, part)
		}
	}
	return got
}

// wantNothing checks that nothing has come: it passes a message of its own and sees it come first.
func (s *side) wantNothing(other *side) {
	s.t.Helper()
	other.say(`{"jsonrpc":"2.0","method":"notifications/marker"}`)
	s.want(`{"jsonrpc":"2.0","method":"notifications/marker"}`)
}

// gateTrial is a gate between two sides.
type gateTrial struct {
	t              testing.TB
	engine         *engine.Engine
	client, server *side
	ended          chan error
	stop           context.CancelFunc

	mu       sync.Mutex
	events   []*hooks.Context
	messages []string
}

// tryGate starts a gate named shop with a script of hooks, and introduces the client.
func tryGate(t testing.TB, script string, o ...mcphook.Option) *gateTrial {
	t.Helper()
	g := newGateTrial(t, script)
	g.start(o...)
	g.introduce("2025-11-25", `{"elicitation":{}}`)
	return g
}

func newGateTrial(t testing.TB, script string, o ...engine.Option) *gateTrial {
	t.Helper()
	g := &gateTrial{t: t, client: newSide(t), server: newSide(t), ended: make(chan error, 1)}
	o = append(o, engine.WithoutBuiltins())
	if script != "" {
		o = append(o, engine.WithScript("shop.lua", script))
	}
	e, err := engine.New(o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	for _, event := range []hooks.Event{
		hooks.SessionStart, hooks.SessionEnd, hooks.PreToolCall, hooks.PostToolCall, hooks.PreToolSelection, hooks.PermissionRequest, hooks.PermissionDenied,
	} {
		_, err := e.RegisterHook(event, hooks.Options{Name: "recorder", Priority: 1000}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
			if !c.Judging {
				g.mu.Lock()
				g.events = append(g.events, c.Clone())
				g.mu.Unlock()
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	g.engine = e
	return g
}

func (g *gateTrial) start(o ...mcphook.Option) {
	ctx, stop := context.WithCancel(context.Background())
	g.stop = stop
	o = append(o, mcphook.WithMessages(func(_ context.Context, m mcphook.Message) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.messages = append(g.messages, m.Text)
	}))
	go func() { g.ended <- mcphook.Gate(ctx, g.engine, "shop", g.client, g.server, o...) }()
	g.t.Cleanup(func() {
		stop()
		_ = g.end()
	})
}

// end hangs up for the client, and waits for the gate.
func (g *gateTrial) end() error {
	_ = g.client.Close()
	select {
	case err := <-g.ended:
		g.ended <- err
		g.stop()
		return err
	case <-time.After(patience):
		g.t.Fatal("the gate doesn't end")
		return nil
	}
}

func (g *gateTrial) introduce(version, capabilities string) {
	g.t.Helper()
	hello := fmt.Sprintf(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"tester","version":"1"}}}`, version, capabilities)
	g.client.say(hello)
	g.server.want(hello)
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"The Shop","version":"1"},"x":1.50}}`, version)
	g.server.say(answer)
	g.client.want(answer)
}

// call is a tools/call as JSON.
func toolCall(id, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// textResult is the answer to a call with a text.
func textResult(id, text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}`, id, quoted)
}

// of are the events of a name, so far.
func (g *gateTrial) of(name hooks.Event) []*hooks.Context {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []*hooks.Context
	for _, c := range g.events {
		if c.Event == name {
			all = append(all, c)
		}
	}
	return all
}

// warned reports whether somebody was told something with a text in it.
func (g *gateTrial) warned(part string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range g.messages {
		if strings.Contains(m, part) {
			return true
		}
	}
	return false
}
