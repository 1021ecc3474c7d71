package adapter_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

func newEngine(t *testing.T, script string) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithScript("x.lua", script))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	for _, err := range e.LoadErrors() {
		t.Fatal(err)
	}
	return e
}

func TestDecodeInput(t *testing.T) {
	for text, want := range map[string]string{
		"": "{}", "null": "{}", " ": "{}", `{"a":1}`: `{"a":1}`,
		`[1]`: "want a JSON object", `"x"`: "want a JSON object", `{"a":1,"a":2}`: "appears twice", `{`: "event:",
	} {
		input, err := adapter.DecodeInput([]byte(text))
		got := engine.TextOf(input)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	if _, err := adapter.DecodeInput([]byte(`{"a":"` + strings.Repeat("x", hooks.MaxEventBytes) + `"}`)); err == nil {
		t.Error("an input of more than 16 MiB was taken")
	}
}

// What the framework and the context say of the caller comes before WithCaller.
func TestCallerIsFilledUp(t *testing.T) {
	a := adapter.New(newEngine(t, ""), adapter.WithCaller(engine.Caller{
		SessionID: "base", AgentName: "base", CWD: "/w", Model: "base", Metadata: map[string]any{"team": "blue", "k": "base"},
	}))
	ctx := engine.WithCaller(context.Background(), engine.Caller{SessionID: "s", Metadata: map[string]any{"k": "own"}})
	ctx = a.Context(ctx, func(c *engine.Caller) { c.AgentName = "coder" })
	got := a.Event(ctx, hooks.Stop)
	if got.SessionID != "s" || got.AgentName != "coder" || got.CWD != "/w" || got.Model != "base" || got.Metadata["k"] != "own" || got.Metadata["team"] != "blue" {
		t.Errorf("the event: %+v", got)
	}
	if e, ok := engine.FromContext(ctx); !ok || e != a.Engine() {
		t.Error("the context doesn't carry the engine")
	}
	sub := adapter.SubCaller(engine.CallerFrom(ctx), "h-1", "helper")
	if sub.ParentAgentID != "coder" || sub.AgentID != "h-1" || sub.AgentDepth != 1 || sub.SessionID != "s" {
		t.Errorf("the caller below: %+v", sub)
	}
}

func TestStreamsAreHeldForWhoListens(t *testing.T) {
	e := newEngine(t, `on("post_tool_call", { match = { kind = "read" } }, function() end)`)
	kinds := adapter.WithToolKinds(map[string]hooks.Kind{"look": hooks.KindRead})
	for _, c := range []struct {
		tool    string
		options []adapter.Option
		want    bool
	}{
		{"look", []adapter.Option{kinds}, true},
		{"look", nil, false},
		{"echo", []adapter.Option{kinds}, false},
		{"look", []adapter.Option{kinds, adapter.WithStreamsPassedThrough()}, false},
	} {
		if got := adapter.New(e, c.options...).HoldsStream(hooks.ToolCall{Name: c.tool}); got != c.want {
			t.Errorf("%s with %d options: %v", c.tool, len(c.options), got)
		}
	}
}

func TestStopGoesOnWithTheReason(t *testing.T) {
	a := adapter.New(newEngine(t, `
on("stop", function(ev)
  if ev.response == "half" then return deny("finish it") end
  if ev.response == "enough" then return halt("over") end
end)`))
	for response, want := range map[string]string{"half": "finish it", "all": "", "enough": ""} {
		if got := a.Stop(context.Background(), response, 0); got != want {
			t.Errorf("%s: %q, want %q", response, got, want)
		}
	}
}

// A model call is over once, whoever says so, and also where its caller has gone.
func TestModelRunEndsOnce(t *testing.T) {
	var posts, errs int
	e := newEngine(t, "")
	for event, count := range map[hooks.Event]*int{hooks.PostModelCall: &posts, hooks.OnError: &errs} {
		if _, err := e.RegisterHook(event, hooks.Options{}, func(context.Context, *hooks.Context) (*hooks.Result, error) { *count++; return nil, nil }); err != nil {
			t.Fatal(err)
		}
	}
	a := adapter.New(e)
	ctx, cancel := context.WithCancel(context.Background())
	m := a.BeginModel(ctx, adapter.ModelCall{Model: "m"})
	cancel()
	m.End(ctx, adapter.ModelAnswer{Response: "x"})
	m.End(ctx, adapter.ModelAnswer{Response: "x"})
	m.Fail(ctx, errors.New("too late"))
	if posts != 1 || errs != 0 {
		t.Errorf("%d post_model_call and %d on_error, want 1 and 0", posts, errs)
	}
	off := adapter.New(e, adapter.WithoutModelEvents()).BeginModel(context.Background(), adapter.ModelCall{})
	off.End(context.Background(), adapter.ModelAnswer{})
	if posts != 1 {
		t.Error("an event was fired without model events")
	}
}

// Without an engine nothing is let through.
func TestNilEngine(t *testing.T) {
	a := adapter.New(nil)
	run := a.BeginTool(context.Background(), hooks.ToolCall{Name: "bash", Input: map[string]any{"command": "ls"}})
	if run.Verdict() != engine.ToolRefused || run.End(context.Background(), "x", nil).Err == nil {
		t.Error("a tool ran without an engine")
	}
	if _, err := a.BeginRun(context.Background(), "x", nil); err == nil {
		t.Error("a run began without an engine")
	}
	if m := a.BeginModel(context.Background(), adapter.ModelCall{}); m.Denied == nil {
		t.Error("a model was called without an engine")
	}
}
