package mcpgohook_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/adapters/mcpgohook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const (
	newer = mcp.LATEST_PROTOCOL_VERSION
	older = "2025-11-25"
)

// eras runs a test with a client of each way to ask.
func eras(t *testing.T, test func(t *testing.T, version string)) {
	for _, version := range []string{newer, older} {
		t.Run(version, func(t *testing.T) { test(t, version) })
	}
}

// world is an engine with a policy, what was fired at it, and what it has told people.
type world struct {
	*engine.Engine
	mu       sync.Mutex
	events   []*hooks.Context
	messages []string
}

func newWorld(t *testing.T, policy string, o ...engine.Option) *world {
	t.Helper()
	if o = append(o, engine.WithoutBuiltins()); policy != "" {
		o = append(o, engine.WithScript("policy.lua", policy))
	}
	e, err := engine.New(o...)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range e.LoadErrors() {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	w := &world{Engine: e}
	for _, info := range hooks.Events() {
		_, err := e.RegisterHook(info.Name, hooks.Options{Name: "recorder", Priority: 1000}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if !c.Judging {
				w.events = append(w.events, c)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// option is the one line of the adapter.
func (w *world) option() server.ServerOption {
	return mcpgohook.ServerOption(w.Engine, mcpgohook.WithMessages(w.take))
}

func (w *world) take(_ context.Context, m mcpgohook.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages = append(w.messages, m.Text)
}

// of are the events of a name.
func (w *world) of(name hooks.Event) (list []*hooks.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.events {
		if c.Event == name {
			list = append(list, c)
		}
	}
	return list
}

// fired fails unless the events but those of sessions and lists were these, in this order. A call that was
// begun again has a "+".
func (w *world) fired(t *testing.T, want string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var got []string
	for _, c := range w.events {
		switch {
		case c.Event == hooks.SessionStart || c.Event == hooks.SessionEnd || c.Event == hooks.PreToolSelection:
		case c.Event == hooks.PostToolCall:
			got = append(got, fmt.Sprintf("%s:%s", c.Event, c.ToolCall.Outcome))
		case c.ToolCall != nil && c.ToolCall.Resumed:
			got = append(got, string(c.Event)+"+")
		default:
			got = append(got, string(c.Event))
		}
	}
	if got := strings.Join(got, " "); got != want {
		t.Errorf("events:\n got %s\nwant %s", got, want)
	}
}

// says fails where the text doesn't have all parts; a part that begins with "!" must not be there.
func says(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		not, wanted := strings.CutPrefix(part, "!")
		if strings.Contains(text, not) == wanted {
			t.Errorf("want %q in %q", part, text)
		}
	}
}

func text(s string) server.ToolHandlerFunc {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(s), nil
	}
}
