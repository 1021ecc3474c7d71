package mcpgohook_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/adapters/mcpgohook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adaptertest"
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
	*adaptertest.Events
	mu       sync.Mutex
	messages []string
}

func newWorld(t *testing.T, policy string, o ...engine.Option) *world {
	t.Helper()
	e := adaptertest.NewEngine(t, policy, o...)
	return &world{Engine: e, Events: adaptertest.Record(t, e)}
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

// fired fails unless the events but those of sessions and lists were these, in this order. A call that was
// begun again has a "+".
func (w *world) fired(t *testing.T, want string) {
	t.Helper()
	var got []string
	for _, c := range w.All() {
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
