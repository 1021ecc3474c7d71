package engine_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestFireNothingRegistered(t *testing.T) {
	e := lua(t, `on("stop", function() end)`)
	c := bash("ls")
	first := fire(t, e, c)
	if first.Decision != hooks.NoOpinion || first.Block || len(first.Summary().Runs) != 0 || first.Summary().Runs == nil {
		t.Errorf("result: %s", asJSON(t, first))
	}
	equal(t, "event", first.Summary().Event, hooks.PreToolCall)
	equal(t, "generation", first.Summary().Generation, e.Generation())
	if fire(t, e, c) != first {
		t.Error("the result is not shared")
	}
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() { _, _ = e.Fire(ctx, c) }); n != 0 {
		t.Errorf("Fire without hooks allocates %v times", n)
	}
	if r := fire(t, e, &hooks.Context{Event: "deploy.requested"}); r.Summary().Event != "deploy.requested" || r.Decision != "" {
		t.Errorf("custom event: %s", asJSON(t, r))
	}
}

func TestFireNothingMatches(t *testing.T) {
	e := lua(t, `on("pre_tool_call", {match="write"}, function() return deny("x") end)`)
	r := fire(t, e, bash("ls"))
	equal(t, "decision", r.Decision, hooks.NoOpinion)
	equal(t, "runs", runs(r), "")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Fire(ctx, bash("ls")); err != nil {
		t.Errorf("nothing had to run, and the error is %v", err)
	}
}

func TestFireSummary(t *testing.T) {
	e := lua(t, `
on("PreToolUse", {name="first", priority=1}, function() return context("note") end)
on("PreToolUse", {name="second"}, function() return deny("no") end)
on("PreToolUse", {name="third"}, function() error("never runs") end)`)
	unregister, err := e.RegisterHook("before_tool", hooks.Options{Name: "go", Priority: 5}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return nil, errors.New("boom")
	})
	if err != nil {
		t.Fatal(err)
	}
	c := bash("ls")
	before := time.Now()
	r := fire(t, e, c)
	s := r.Summary()
	if s.Event != hooks.PreToolCall || s.Generation != 2 || s.StartedAt.Before(before) || s.StartedAt.After(time.Now()) || s.DurationMS < 0 {
		t.Errorf("summary: %s", asJSON(t, s))
	}
	// The Go hook fails and blocks; take it away to see the others.
	equal(t, "runs", runs(r), "go")
	equal(t, "source", strings.HasPrefix(s.Runs[0].Source, "engine_test.go:"), true)
	unregister()
	r = fire(t, e, c)
	type run struct {
		Hook, Source string
		Event        hooks.Event
		Handler      hooks.Handler
		Mode         hooks.Mode
		Scope        hooks.Scope
		Order        int
		Status       hooks.Status
		Entries      []hooks.Entry
		Counted      bool
	}
	var got []run
	ids := map[hooks.RunID]bool{s.Runs[0].ID: true}
	for _, r := range r.Summary().Runs {
		ids[r.ID] = true
		got = append(got, run{r.Hook, r.Source, r.Event, r.Handler, r.Mode, r.Scope, r.Order, r.Status, r.Entries, r.Instructions > 0})
	}
	want := []run{
		{"first", "a.lua:2", "pre_tool_call", "lua", "sync", "embedder", 1, "completed", []hooks.Entry{{Kind: "context", Text: "note"}}, true},
		{"second", "a.lua:3", "pre_tool_call", "lua", "sync", "embedder", 2, "blocked", []hooks.Entry{{Kind: "feedback", Text: "no"}}, true},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(ids) != 3 || ids[hooks.RunID{}] {
		t.Errorf("ids are not unique: %v", ids)
	}
}

func TestFireEventIsNotChanged(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", function(ev)
  ev.tool_call.input.command = "scribbled"
  ev.tool_call.input.list[1] = "scribbled"
  ev.metadata.note = "scribbled"
  return modify{command="echo 2", env={1}}
end)`)
	register(t, e, hooks.PreToolCall, hooks.Options{Priority: 1}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		c.Event, c.SessionID, c.ToolCall.Command = "stop", "x", "x"
		c.ToolCall.Input["command"], c.Metadata["note"] = "x", "x"
		c.ToolCall.Input["list"].([]any)[0] = "x"
		return &hooks.Result{Decision: hooks.Ask, Reason: "sure?"}, nil
	})
	text := `{"session_id":"s","note":"n","tool_call":{"name":"Bash","input":{"command":"echo 1","list":["a"]}}}`
	c := event(t, hooks.PreToolCall, text)
	r := fire(t, e, c)
	if d := cmp.Diff(event(t, hooks.PreToolCall, text), c); d != "" {
		t.Errorf("the event was changed: %s", d)
	}
	equal(t, "decision", r.Decision, hooks.Ask)
	if d := cmp.Diff(map[string]any{"command": "echo 2", "list": []any{"a"}, "env": []any{int64(1)}}, r.Input); d != "" {
		t.Errorf("input: %s", d)
	}
}

func TestFireInvalidEvents(t *testing.T) {
	script := ""
	for _, info := range hooks.Events() {
		script += `on("` + string(info.Name) + `", function() end)` + "\n"
	}
	e := lua(t, script+`on("deploy.requested", function() end)`)
	var input *hooks.InputError
	var unknown *hooks.UnknownEventError
	tests := []struct {
		name  string
		event *hooks.Context
		as    any
		text  string
		deny  bool
	}{
		{"nil", nil, &input, "none", true},
		{"no name", &hooks.Context{}, &unknown, "no name", true},
		{"misspelt", &hooks.Context{Event: "pre_tol_call"}, &unknown, `did you mean "pre_tool_call"`, true},
		{"no tool call", &hooks.Context{Event: hooks.PreToolCall}, &input, "tool_call", true},
		{"alias", &hooks.Context{Event: "PreToolUse"}, &input, "tool_call", true},
		{"two truths", &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Command: "ls", Input: map[string]any{"command": "rm"}}}, &input, "tool_call.command", true},
		{"field", &hooks.Context{Event: hooks.OnRetry, Fields: map[string]any{"atempt": 1}}, &input, `did you mean "attempt"`, true},
		{"custom", &hooks.Context{Event: "deploy.requested", Fields: map[string]any{"x": 1}}, &input, "x", true},
		{"can't be blocked", &hooks.Context{Event: hooks.RunEnd, Fields: map[string]any{"success": "yes"}}, &input, "success", false},
		{"would only keep it running", &hooks.Context{Event: "Stop", Fields: map[string]any{"x": 1}}, &input, "x", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := e.Fire(context.Background(), test.event)
			if r == nil || err == nil || !errors.As(err, test.as) {
				t.Fatalf("%s, %v (%T)", asJSON(t, r), err, err)
			}
			contains(t, err.Error(), test.text)
			equal(t, "deny", r.Decision == hooks.Deny && r.Block, test.deny)
			if told := r.Reason + strings.Join(r.Warnings, ""); told != err.Error() {
				t.Errorf("the result says %q", told)
			}
			if r.Summary() == nil || r.Summary().Runs == nil {
				t.Error("no summary")
			}
		})
	}
}

func TestFireSpellings(t *testing.T) {
	e := lua(t, `
on("PreToolUse", {name="tool"}, function() end)
on("deploy.requested", {name="custom"}, function(ev) return deny(ev.metadata.why) end)`)
	for _, spelling := range []hooks.Event{"pre_tool_call", "PreToolUse", "before_tool", "pre-tool-call", "BEFORETOOL", " PreToolCall "} {
		c := bash("ls")
		c.Event = spelling
		r := fire(t, e, c)
		equal(t, string(spelling), runs(r)+" "+string(r.Summary().Event), "tool pre_tool_call")
	}
	r := fire(t, e, &hooks.Context{Event: "deploy.requested", Metadata: map[string]any{"why": "freeze"}})
	equal(t, "custom event", string(r.Decision)+" "+r.Reason, "deny freeze")
	r = fire(t, e, &hooks.Context{Event: "PostToolUse", ToolCall: &hooks.ToolCall{Name: "bash"}})
	equal(t, "other event", string(r.Summary().Event)+runs(r), "post_tool_call")
}

func TestFireCancelled(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", {name="a"}, function() end)
on("post_response", {name="b"}, function() end)
on("pre_tool_call", {name="slow", match="write", timeout="1h"}, function() while true do end end)`)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := e.Fire(ctx, bash("ls"))
	if !errors.Is(err, context.Canceled) || r.Decision != hooks.Deny {
		t.Fatalf("%s, %v", asJSON(t, r), err)
	}
	contains(t, r.Reason, "hook a failed at a.lua:2", "the caller gave up before it ran")
	if strings.Contains(r.Reason, "fix the hook") {
		t.Errorf("nothing is wrong with the hook: %s", r.Reason)
	}
	equal(t, "kind", r.Summary().Runs[0].Error.Kind, hooks.KindLimit)
	equal(t, "limit", r.Summary().Runs[0].Error.Limit, hooks.LimitTime)
	r, err = e.Fire(ctx, &hooks.Context{Event: hooks.PostResponse})
	if !errors.Is(err, context.Canceled) || r.Decision != hooks.NoOpinion || len(r.Warnings) != 1 {
		t.Fatalf("%s, %v", asJSON(t, r), err)
	}
	// A hook that is at work is stopped.
	started := &signal{called: make(chan string, 1)}
	e = lua(t, `on("pre_tool_call", {timeout="1h"}, function() signal.Call("x"); while true do end end)`,
		engine.WithHostObject("signal", started, "Call"), engine.WithLimits(engine.Limits{Instructions: 1 << 60, Timeout: time.Hour}))
	ctx, cancel = context.WithCancel(context.Background())
	go func() { <-started.called; cancel() }()
	r, err = e.Fire(ctx, bash("ls"))
	if !errors.Is(err, context.Canceled) || r.Decision != hooks.Deny {
		t.Fatalf("%s, %v", asJSON(t, r), err)
	}
	contains(t, r.Reason, "the caller gave up")
}

// signal is a host object that says when a script has come to a place.
type signal struct{ called chan string }

func (s *signal) Call(text string) { s.called <- text }

func TestClose(t *testing.T) {
	e := lua(t, `on("pre_tool_call", function() end) on("stop", function() end)`)
	for range 2 {
		if err := e.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	r, err := e.Fire(context.Background(), bash("ls"))
	if !errors.Is(err, engine.ErrClosed) || !r.Block || r.Reason == "" {
		t.Errorf("Fire: %s, %v", asJSON(t, r), err)
	}
	r, err = e.Fire(context.Background(), &hooks.Context{Event: hooks.Stop})
	if !errors.Is(err, engine.ErrClosed) || r.Block {
		t.Errorf("a closed engine keeps the agent running: %s, %v", asJSON(t, r), err)
	}
	if _, err := e.RegisterHook(hooks.Stop, hooks.Options{}, nothing); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("RegisterHook: %v", err)
	}
	if err := e.Reload(context.Background()); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("Reload: %v", err)
	}
}

func nothing(context.Context, *hooks.Context) (*hooks.Result, error) { return nil, nil }

func TestCloseWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, patient)
		started, release := make(chan bool), make(chan bool)
		register(t, e, hooks.PreToolCall, hooks.Options{}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
			started <- true
			<-release
			return nil, nil
		})
		var firing, closing sync.WaitGroup
		firing.Go(func() {
			equal(t, "decision of the run that had begun", fire(t, e, bash("ls")).Decision, hooks.NoOpinion)
		})
		<-started
		over, cancel := context.WithCancel(context.Background())
		cancel()
		if err := e.Close(over); !errors.Is(err, context.Canceled) {
			t.Errorf("Close: %v", err)
		}
		if _, err := e.Fire(context.Background(), bash("ls")); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("Fire after Close: %v", err)
		}
		var closed atomic.Int64
		for range 3 {
			closing.Go(func() {
				if err := e.Close(context.Background()); err != nil {
					t.Error(err)
				}
				closed.Add(1)
			})
		}
		synctest.Wait() // all of them wait
		equal(t, "closed while a hook runs", closed.Load(), 0)
		release <- true
		closing.Wait()
		firing.Wait()
	})
}
