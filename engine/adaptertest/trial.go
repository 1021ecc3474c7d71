package adaptertest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// policy is what all checks run under. The client of an MCP server calls its tools by longer names.
const policy = `
on("pre_tool_call", { match = "danger|mcp__*__danger" }, function() return deny("danger is not allowed") end)
on("pre_tool_call", { match = "rewrite|mcp__*__rewrite" }, function(ev)
  return replace{ text = ev.tool_call.input.text .. " (rewritten)", added = { n = 7, list = { "a", "b" } } }
end)
on("post_tool_call", { match = "secret*|mcp__*__secret*" }, function(ev)
  local out = ev.tool_call.output
  if type(out) == "string" then return output((out:gsub("hunter2", "***"))) end
  out.password = "***"
  return output(out)
end)
on("pre_tool_call", { match = "cached|mcp__*__cached" }, function() return respond("from the cache") end)
on("pre_tool_call", { match = "approve|mcp__*__approve" }, function() return ask("needs a person") end)
on("post_tool_call", { match = "hint|mcp__*__hint" }, function() return context("remember the style guide") end)
on("post_tool_call", { match = "object|mcp__*__object" }, function() return deny("run the tests first") end)
on("pre_tool_call", { match = "failing_guard|mcp__*__failing_guard" }, function() error("the guard broke") end)
on("post_tool_call", { match = "failing_filter|mcp__*__failing_filter", on_failure = "block" }, function() error("the filter broke") end)
on("pre_tool_call", { match = "stopper|mcp__*__stopper" }, function() return halt("the budget is used up") end)
on("pre_model_call", function(ev)
  if ev.metadata.adaptertest == "deny" then return deny("the model is off") end
  if ev.metadata.adaptertest == "context" then return context("answer in French") end
end)
on("run_start", function(ev) if ev.metadata.adaptertest == "no run" then return deny("not today") end end)
`

// trial is one check on its way.
type trial struct {
	*testing.T
	adapter  Adapter
	engine   *engine.Engine
	scenario Scenario
	recorder *Events
	bodies   bodyCalls
	messages *messages
}

func newTrial(t *testing.T, a Adapter) *trial {
	e := NewEngine(t, policy)
	tr := &trial{T: t, adapter: a, engine: e, messages: &messages{}}
	tr.recorder = Record(t, e)
	tr.scenario = Scenario{
		Context: context.Background(), Engine: e, Agent: "main", Session: "session-1", Prompt: "please",
		Options: []adapter.Option{adapter.WithCaller(engine.Caller{CWD: "/work", Metadata: map[string]any{"team": "blue"}}), adapter.WithMessages(tr.messages.take)},
	}
	return tr
}

// tool adds a tool, and notes each call of its body.
func (t *trial) tool(name string, run func(ctx context.Context, input map[string]any) (any, error)) {
	t.scenario.Tools = append(t.scenario.Tools, Tool{Name: name, Run: func(ctx context.Context, input map[string]any) (any, error) {
		t.bodies.note(name, input)
		return run(ctx, input)
	}})
}

// call adds a call to the model's first answer, named c1, c2 and so on.
func (t *trial) call(tool string, input map[string]any) (id string) {
	id = fmt.Sprintf("c%d", len(t.scenario.Calls)+1)
	t.scenario.Calls = append(t.scenario.Calls, Call{ID: id, Tool: tool, Input: input})
	return id
}

// run runs the scenario.
func (t *trial) run() Outcome {
	t.Helper()
	return t.adapter.Run(t.T, t.scenario)
}

// finished runs the scenario, which must come to its end.
func (t *trial) finished() Outcome {
	t.Helper()
	o := t.run()
	if o.Err != nil {
		t.Fatalf("the run failed: %v", o.Err)
	}
	return o
}

// mark sets metadata by which the policy knows what a check is about.
func (t *trial) mark(what string) {
	t.scenario.Options = append(t.scenario.Options, adapter.WithCaller(engine.Caller{CWD: "/work", Metadata: map[string]any{"adaptertest": what}}))
}

// says fails where the text doesn't have all of the parts.
func (t *trial) says(what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: want %q in it, got %q", what, part, text)
		}
	}
}

// silent fails where the text has one of the parts.
func (t *trial) silent(what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%s: %q must not be in it, got %q", what, part, text)
		}
	}
}

// ran fails unless the body of a tool was called so often.
func (t *trial) ran(tool string, times int) {
	t.Helper()
	if n := len(t.bodies.of(tool)); n != times {
		t.Errorf("the body of %s ran %d times, want %d", tool, n, times)
	}
}

// posts fails unless the tool calls had exactly these outcomes, one for each that was begun.
func (t *trial) posts(tool string, outcomes ...hooks.Outcome) []*hooks.Context {
	t.Helper()
	list := t.recorder.About(hooks.PostToolCall, tool)
	var got []hooks.Outcome
	for _, c := range list {
		got = append(got, c.ToolCall.Outcome)
	}
	if fmt.Sprint(got) != fmt.Sprint(outcomes) {
		t.Errorf("post_tool_call of %s: got %v, want %v", tool, got, outcomes)
	}
	return list
}

// events fails unless the event was fired so often.
func (t *trial) events(name hooks.Event, times int) []*hooks.Context {
	t.Helper()
	list := t.recorder.Of(name)
	if len(list) != times {
		t.Errorf("%s was fired %d times, want %d", name, len(list), times)
	}
	return list
}

// bodyCalls keeps the calls of bodies.
type bodyCalls struct {
	mu    sync.Mutex
	calls map[string][]map[string]any
}

func (b *bodyCalls) note(tool string, input map[string]any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.calls == nil {
		b.calls = map[string][]map[string]any{}
	}
	b.calls[tool] = append(b.calls[tool], input)
}

func (b *bodyCalls) of(tool string) []map[string]any {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls[tool]
}

// messages are what the adapter told people.
type messages struct {
	mu   sync.Mutex
	list []adapter.Message
}

func (m *messages) take(_ context.Context, message adapter.Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = append(m.list, message)
}

func (m *messages) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var texts []string
	for _, message := range m.list {
		texts = append(texts, message.Text)
	}
	return strings.Join(texts, "\n")
}
