package einohook_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/adapters/einohook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adaptertest"
	"github.com/luahook/luahook/hooks"
)

// world is an engine with a script, and what its hooks and its user have heard.
type world struct {
	engine *engine.Engine
	*adaptertest.Events
	mu       sync.Mutex
	messages []einohook.Message
}

// newWorld is one whose engine has no other hooks than those of the script, and one that writes
// down the events that are named.
func newWorld(t *testing.T, script string, record ...hooks.Event) *world {
	t.Helper()
	w := &world{engine: adaptertest.NewEngine(t, script), Events: &adaptertest.Events{}}
	if len(record) > 0 {
		w.Events = adaptertest.Record(t, w.engine, record...)
	}
	return w
}

// story is all events in a line: their names, the tool and its outcome, the agent.
func (w *world) story() string {
	var list []string
	for _, c := range w.All() {
		text := string(c.Event)
		if c.ToolCall != nil {
			text += ":" + c.ToolCall.HostName
			if c.ToolCall.Outcome != "" {
				text += "=" + string(c.ToolCall.Outcome)
			}
			if c.Event == hooks.PreToolCall && c.ToolCall.Resumed {
				text += "(resumed)"
			}
		} else if c.AgentName != "" {
			text += "@" + c.AgentName
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

func (w *world) take(_ context.Context, m einohook.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages = append(w.messages, m)
}

func (w *world) warnings() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []string
	for _, m := range w.messages {
		if m.Warning {
			list = append(list, m.Text)
		}
	}
	return strings.Join(list, "\n")
}

// handlers are what an agent of the world has, after those of others.
func (w *world) handlers(others ...adk.ChatModelAgentMiddleware) []adk.ChatModelAgentMiddleware {
	return append(slices.Clip(others), einohook.Handler(w.engine, einohook.WithMessages(w.take)))
}

// run runs an agent with a prompt to its end.
func (w *world) run(a adk.Agent, stream bool) *ran {
	runner := adk.NewRunner(context.Background(), adk.RunnerConfig{Agent: a, EnableStreaming: stream})
	return drain(einohook.Run(context.Background(), w.engine, runner, []adk.Message{schema.UserMessage("go")}, einohook.RunOptions(einohook.WithMessages(w.take))))
}

// has fails where a text lacks one of the parts.
func has(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: want %q in it, got %q", what, part, text)
		}
	}
}

// lacks fails where a text has one of the parts.
func lacks(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%s: %q must not be in it, got %q", what, part, text)
		}
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

// echo answers with its arguments.
func echo(name string) invokable {
	return invokable{toolOf{name}, func(_ context.Context, args string) (string, error) { return args, nil }}
}

func toolList(tools ...tool.BaseTool) []tool.BaseTool { return tools }
