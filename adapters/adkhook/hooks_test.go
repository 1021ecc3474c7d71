package adkhook_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/adapters/adkhook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adaptertest"
	"github.com/luahook/luahook/hooks"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/adk/v2/tool/toolutils"
	"google.golang.org/genai"
)

// world is an engine, what it was told, and what it told people.
type world struct {
	engine *engine.Engine
	*adaptertest.Events
	mu       sync.Mutex
	warnings []string
	ran      []string // tools
}

func newWorld(t testing.TB, script string) *world {
	t.Helper()
	e := adaptertest.NewEngine(t, script)
	return &world{engine: e, Events: adaptertest.Record(t, e)}
}

// messages has warnings kept.
func (w *world) messages() adkhook.Option {
	return adkhook.WithMessages(func(_ context.Context, m adkhook.Message) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.warnings = append(w.warnings, m.Text)
	})
}

// tool is a function tool that answers with its input.
func (w *world) tool(t testing.TB, name string, change ...func(*functiontool.Config)) tool.Tool {
	t.Helper()
	cfg := functiontool.Config{Name: name, Description: name}
	for _, c := range change {
		c(&cfg)
	}
	made, err := functiontool.New(cfg, func(_ agent.Context, args map[string]any) (any, error) {
		w.note(name)
		return name + " said " + fmt.Sprint(args["text"]), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (w *world) note(tool string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ran = append(w.ran, tool)
}

// got fails unless the tools that ran, and the events, written as [event of a tool with its
// outcome], are these.
func (w *world) got(t testing.TB, ran string, events ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if got := strings.Join(w.ran, " "); got != ran {
		t.Errorf("ran %q, want %q", got, ran)
	}
	var got []string
	for _, c := range w.All() {
		switch c.Event {
		case hooks.PreToolCall:
			got = append(got, "pre "+c.ToolCall.HostName)
		case hooks.PostToolCall:
			got = append(got, "post "+c.ToolCall.HostName+" "+string(c.ToolCall.Outcome))
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(events) {
		t.Errorf("events %q, want %q", got, events)
	}
}

// about are the events about a tool.
func (w *world) about(event hooks.Event, tool string) []*hooks.Context {
	if tool == "" {
		return w.Of(event)
	}
	return w.About(event, tool)
}

func (w *world) warned(t testing.TB, part string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if all := strings.Join(w.warnings, "\n"); !strings.Contains(all, part) || part == "" && all != "" {
		t.Errorf("warnings %q, want %q in them", all, part)
	}
}

func newAgent(t testing.TB, cfg llmagent.Config, turns ...*genai.Content) (agent.Agent, *played) {
	t.Helper()
	m := &played{name: "played", turns: turns}
	if cfg.Name == "" {
		cfg.Name = "main"
	}
	cfg.Model = m
	a, err := llmagent.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a, m
}

func contains(t testing.TB, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s: want %q in %q", what, part, text)
	}
}

// rawTool is a tool that ADK's helpers haven't made: nothing recovers it.
type rawTool struct {
	name string
	run  func(ctx agent.Context, args map[string]any) (map[string]any, error)
}

func (r *rawTool) Name() string        { return r.name }
func (r *rawTool) Description() string { return r.name }
func (r *rawTool) IsLongRunning() bool { return false }
func (r *rawTool) Declaration() *genai.FunctionDeclaration {
	return &genai.FunctionDeclaration{Name: r.name}
}
func (r *rawTool) ProcessRequest(_ agent.Context, req *model.LLMRequest) error {
	return toolutils.PackTool(req, r)
}
func (r *rawTool) Run(ctx agent.Context, args any) (map[string]any, error) {
	input, _ := args.(map[string]any)
	return r.run(ctx, input)
}
