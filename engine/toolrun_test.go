package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// watched is an engine with that script, and a line for each of its events about tools.
func watched(t testing.TB, script string, options ...engine.Option) (*engine.Engine, func() string) {
	e := lua(t, script, options...)
	var mu sync.Mutex
	var lines []string
	for _, event := range []hooks.Event{hooks.PreToolCall, hooks.PermissionRequest, hooks.PermissionDenied, hooks.PostToolCall} {
		register(t, e, event, hooks.Options{Name: "watcher", Priority: 100}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
			if c.Judging {
				return nil, nil
			}
			mu.Lock()
			defer mu.Unlock()
			line := string(c.Event)
			if c.ToolCall.Resumed {
				line += " resumed"
			}
			if reason, ok := c.Fields["reason"].(string); ok {
				line += " " + reason
			}
			if c.ToolCall.Outcome != "" {
				line += fmt.Sprintf(" %s %v", c.ToolCall.Outcome, engine.TextOf(c.ToolCall.Output))
			}
			lines = append(lines, line)
			return nil, nil
		})
	}
	return e, func() string {
		mu.Lock()
		defer mu.Unlock()
		defer func() { lines = nil }()
		return strings.Join(lines, "\n")
	}
}

const asking = `on("pre_tool_call", function() return ask("sure?") end)`

func deploy() hooks.ToolCall {
	return hooks.ToolCall{Name: "deploy", Input: map[string]any{"to": "prod"}}
}

func TestToolRunAsksInItsOwnTime(t *testing.T) {
	ctx := context.Background()
	e, told := watched(t, asking)
	r := e.BeginTool(ctx, deploy())
	equal(t, "verdict", r.Verdict(), engine.ToolAsks)
	equal(t, "reason", r.Reason(), "sure?")
	r.Suspend()
	out, err := r.Do(ctx, func(context.Context) (any, error) { t.Error("it ran"); return nil, nil })
	a := r.End(ctx, out, err)
	equal(t, "error", a.Err, engine.ErrSuspended)
	equal(t, "a call that waits", told(), "pre_tool_call\npermission_request sure?")

	call := deploy()
	call.Resumed = true
	r = e.BeginTool(ctx, call)
	equal(t, "verdict", r.Verdict(), engine.ToolAsks)
	r.Allow()
	out, err = r.Do(ctx, func(context.Context) (any, error) { return "deployed", nil })
	a = r.End(ctx, out, err)
	equal(t, "text", a.Text(), "deployed")
	equal(t, "error", a.Err, nil)
	equal(t, "the same begun again", told(), "pre_tool_call resumed\npost_tool_call resumed ok deployed")
	if again := r.End(ctx, "other", nil); again != a || told() != "" {
		t.Errorf("the second End gave %v", again)
	}

	r = e.BeginTool(ctx, call)
	r.Refuse(ctx, "not on a Friday")
	a = r.End(ctx, nil, nil)
	equal(t, "text", a.Text(), "a person was asked and said no: not on a Friday")
	equal(t, "refused", told(), "pre_tool_call resumed\npermission_denied resumed a person was asked and said no: not on a Friday\npost_tool_call resumed denied a person was asked and said no: not on a Friday")
	if !a.Replaced || a.Outcome != hooks.OutcomeDenied {
		t.Errorf("a refused call: replaced %v, outcome %q", a.Replaced, a.Outcome)
	}
}

// A call that still asks when it ends was allowed by nobody.
func TestToolRunThatNobodyAnsweredIsRefused(t *testing.T) {
	ctx := context.Background()
	e, told := watched(t, asking)
	a := e.BeginTool(ctx, deploy()).End(ctx, "it ran all the same", nil)
	equal(t, "text", a.Text(), "a person would have to allow this, and there is nobody to ask: sure?")
	equal(t, "outcome", a.Outcome, hooks.OutcomeDenied)
	contains(t, told(), "permission_denied", "post_tool_call denied")

	r := e.BeginTool(ctx, deploy())
	r.Unanswered(ctx, errors.New("the terminal is gone"))
	r.Allow() // too late
	equal(t, "verdict", r.Verdict(), engine.ToolRefused)
	contains(t, r.End(ctx, nil, nil).Text(), "asking failed (the terminal is gone): sure?")
}

// An adapter whose framework runs the tool by itself asks without Do.
func TestToolRunAsksWithoutDo(t *testing.T) {
	ctx := context.Background()
	for _, yes := range []bool{true, false} {
		e, told := watched(t, asking, engine.WithAsk(func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { return yes, nil }))
		r := e.BeginTool(ctx, deploy())
		r.Ask(ctx)
		equal(t, "verdict", r.Verdict(), map[bool]engine.ToolVerdict{true: engine.ToolRuns, false: engine.ToolRefused}[yes])
		r.Ask(ctx) // which is over
		a := r.End(ctx, nil, errors.New("disk full"))
		equal(t, "outcome", a.Outcome, map[bool]hooks.Outcome{true: hooks.OutcomeError, false: hooks.OutcomeDenied}[yes])
		equal(t, "asked", strings.Count(told(), "permission_request"), 1)
	}
}

func TestAskWithAnswersForOneContext(t *testing.T) {
	e, told := watched(t, asking, engine.WithAsk(func(context.Context, *hooks.Context, *hooks.Result) (bool, error) { return true, nil }))
	tool := e.WrapTool("deploy", func(context.Context, json.RawMessage) (string, error) { return "deployed", nil })
	ctx := engine.AskWith(context.Background(), func(_ context.Context, c *hooks.Context, r *hooks.Result) (bool, error) {
		if c.ToolCall.Name != "deploy" || r.Reason != "sure?" {
			t.Errorf("asked about %v: %q", c.ToolCall, r.Reason)
		}
		return false, engine.ErrSuspended
	})
	text, err := tool(ctx, []byte(`{}`))
	if !errors.Is(err, engine.ErrSuspended) || text != "sure?" {
		t.Errorf("got %q, %v", text, err)
	}
	equal(t, "events", told(), "pre_tool_call\npermission_request sure?")

	text, err = tool(engine.AskWith(context.Background(), nil), []byte(`{}`))
	contains(t, text, "there is nobody to ask")
	if err == nil {
		t.Error("no error")
	}
	told()
	text, err = tool(context.Background(), []byte(`{}`))
	equal(t, "with the engine's own", text, "deployed")
	equal(t, "error", err, nil)
}

// permission_request: a hook may deny, and allow where none of a higher scope has asked.
func TestHooksAnswerInThePersonsPlace(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		script  string
		user    string // a script of the user's, whose scope is lower
		verdict engine.ToolVerdict
		events  string
	}{
		"a deny": {asking + `on("permission_request", function(ev) return deny("not even asked: " .. ev.reason) end)`, "", engine.ToolRefused,
			"permission_denied not even asked: sure?"},
		"a broken guard":          {asking + `on("permission_request", function() error("x") end)`, "", engine.ToolRefused, "permission_denied"},
		"an allow":                {asking + `on("permission_request", function() return allow("known") end)`, "", engine.ToolRuns, "permission_request sure?"},
		"no opinion":              {asking + `on("permission_request", function() end)`, "", engine.ToolAsks, "permission_request sure?"},
		"an allow from below":     {asking, `on("permission_request", function() return allow("known") end)`, engine.ToolAsks, "permission_request sure?"},
		"an allow for one's own":  {"", asking + `on("permission_request", function() return allow("known") end)`, engine.ToolRuns, "permission_request sure?"},
		"a rewrite is left aside": {asking + `on("permission_request", function() return modify{ to = "moon" } end)`, "", engine.ToolAsks, "permission_request sure?"},
	} {
		t.Run(name, func(t *testing.T) {
			var options []engine.Option
			if c.user != "" {
				dir := tree(t, "-- hooks/user.lua --\n"+c.user+"\n")
				options = append(options, engine.WithUserDir(dir))
			}
			e, told := watched(t, c.script, options...)
			r := e.BeginTool(ctx, deploy())
			equal(t, "verdict", r.Verdict(), c.verdict)
			equal(t, "input", asJSON(t, r.Input()), `{"to":"prod"}`)
			contains(t, told(), c.events)
			r.End(ctx, "x", nil)
		})
	}
}

type shelf struct {
	Owner string            `json:"owner"`
	Keys  map[string]string `json:"keys"`
}

// What a tool gives back may be of any shape: hooks see it as JSON has it.
func TestEndTakesAnyShape(t *testing.T) {
	ctx := context.Background()
	e := lua(t, `
on("post_tool_call", function(ev)
  local out = ev.tool_call.output
  if type(out) == "table" and next(out.keys or {}) then out.keys = { api = "***" } return output(out) end
  if type(out) == "string" and out:find("hunter2") then return output((out:gsub("hunter2", "***"))) end
end)`)
	end := func(output any) *engine.ToolAnswer {
		r := e.BeginTool(ctx, hooks.ToolCall{Name: "look"})
		out, err := r.Do(ctx, func(context.Context) (any, error) { return output, nil })
		return r.End(ctx, out, err)
	}
	secret := shelf{"ana", map[string]string{"api": "hunter2"}}
	for _, output := range []any{secret, &secret} {
		a := end(output)
		equal(t, "text", a.Text(), `{"keys":{"api":"***"},"owner":"ana"}`)
		if !a.Replaced {
			t.Error("the output of the tool counts as its own")
		}
	}
	equal(t, "bytes", end([]byte("it is hunter2")).Text(), "it is ***")
	untouched := end(shelf{Owner: "bob"})
	if own, ok := untouched.Output.(shelf); !ok || own.Owner != "bob" || untouched.Replaced {
		t.Errorf("an output that no hook replaces: %#v", untouched)
	}
	// What hooks can't look at is kept back.
	for _, output := range []any{make(chan int), func() {}, map[string]any{"f": func() {}}} {
		a := end(output)
		contains(t, a.Text(), "kept back")
		if !a.Replaced || a.Err == nil {
			t.Errorf("%T: %#v", output, a)
		}
	}
}

func TestDoContainsWhatABodyDoes(t *testing.T) {
	ctx := context.Background()
	e, told := watched(t, "")
	r := e.BeginTool(ctx, deploy())
	out, err := r.Do(ctx, func(context.Context) (any, error) { panic("out of cheese") })
	var panicked *engine.PanicError
	if a := r.End(ctx, out, err); !errors.As(a.Err, &panicked) || !strings.Contains(a.Text(), "out of cheese") {
		t.Errorf("a panic: %#v", a)
	}
	contains(t, told(), "post_tool_call error")

	done := make(chan struct{})
	go func() {
		defer close(done)
		r := e.BeginTool(ctx, deploy())
		_, _ = r.Do(ctx, func(context.Context) (any, error) { runtime.Goexit(); return nil, nil })
	}()
	<-done
	contains(t, told(), "post_tool_call error the tool ended its goroutine")

	gone, cancel := context.WithCancel(ctx)
	r = e.BeginTool(gone, deploy())
	cancel()
	out, err = r.Do(gone, func(context.Context) (any, error) { t.Error("it ran"); return nil, nil })
	contains(t, r.End(gone, out, err).Text(), "its caller gave up")
	contains(t, told(), "post_tool_call error")
}

// Nothing is fired for a call that can't be judged, and it doesn't run.
func TestBeginToolRefusesWhatItCantJudge(t *testing.T) {
	e, told := watched(t, "")
	closed := newEngine(t)
	if err := closed.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		engine *engine.Engine
		call   hooks.ToolCall
	}{
		"no engine":    {nil, deploy()},
		"a closed one": {closed, deploy()},
		"no name":      {e, hooks.ToolCall{}},
		"a channel":    {e, hooks.ToolCall{Name: "x", Input: map[string]any{"c": make(chan int)}}},
		"a wrong kind": {e, hooks.ToolCall{Name: "bash", Kind: hooks.KindWeb, Input: map[string]any{"command": "ls"}}},
		"two commands": {e, hooks.ToolCall{Name: "bash", Command: "rm", Input: map[string]any{"command": "ls"}}},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.engine.BeginTool(context.Background(), c.call)
			equal(t, "verdict", r.Verdict(), engine.ToolRefused)
			out, err := r.Do(context.Background(), func(context.Context) (any, error) { t.Error("it ran"); return nil, nil })
			a := r.End(context.Background(), out, err)
			if a.Err == nil || a.Text() == "" || a.Outcome != "" {
				t.Errorf("got %#v", a)
			}
			equal(t, "events", told(), "")
		})
	}
}

func TestListens(t *testing.T) {
	e := lua(t, `
on("post_tool_call", { match = "read|deploy" }, function() end)
on("post_tool_call", { match = { tool = "grep", ["tool_call.outcome"] = "error" } }, function() end)
on("post_tool_call", { match = { kind = "web" } }, function() end)`)
	for _, c := range []struct {
		call hooks.ToolCall
		want bool
	}{
		{hooks.ToolCall{Name: "Read"}, true},
		{hooks.ToolCall{Name: "deploy"}, true},
		{hooks.ToolCall{Name: "echo"}, false},
		{hooks.ToolCall{Name: "grep"}, true}, // what it comes to is not known yet
		{hooks.ToolCall{Name: "look", Kind: hooks.KindWeb}, true},
		{hooks.ToolCall{Name: ""}, true}, // which can't be judged
	} {
		if got := e.Listens(hooks.PostToolCall, c.call); got != c.want {
			t.Errorf("%q: %v, want %v", c.call.Name, got, c.want)
		}
	}
	if e.Listens(hooks.PreModelCall, hooks.ToolCall{}) {
		t.Error("somebody listens to pre_model_call, of which there is no hook")
	}
	if e.Listens(hooks.PreToolCall, hooks.ToolCall{Name: "read"}) || (*engine.Engine)(nil).Listens(hooks.PreToolCall, deploy()) {
		t.Error("nobody listens to pre_tool_call")
	}
	lazy, _ := project(t, "-- .hooks/x.lua --\non('post_tool_call', function() end)\n")
	if !lazy.Listens(hooks.PostToolCall, hooks.ToolCall{Name: "echo"}) {
		t.Error("hooks of a project that isn't loaded yet may listen")
	}
}

func TestDenial(t *testing.T) {
	e := lua(t, `
on("run_start", { match = "denied" }, function() return deny("not today") end)
on("run_start", { match = "asked" }, function() return ask("sure?") end)
on("run_start", { match = "halted" }, function() return halt("enough") end)
on("run_start", { match = "allowed" }, function() return allow() end)`)
	for name, want := range map[string]string{
		"denied": "run_start was denied: not today", "asked": "run_start was denied: a person would have to allow this, and there is nobody to ask: sure?",
		"halted": "run_start was denied: enough", "allowed": "", "other": "",
	} {
		err := engine.Denial(e.Fire(context.Background(), &hooks.Context{Event: hooks.RunStart, Fields: map[string]any{"program_name": name}}))
		if got := errorText(err); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		var denied *engine.DeniedError
		if err != nil && (!errors.As(err, &denied) || denied.Event != hooks.RunStart || denied.Result == nil) {
			t.Errorf("%s: %#v", name, err)
		}
	}
	if err := engine.Denial(e.Fire(context.Background(), &hooks.Context{Event: "no_such_event"})); err == nil {
		t.Error("an event that can't be judged goes on")
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCallerEvent(t *testing.T) {
	c := engine.Caller{SessionID: "s", AgentID: "a", ParentAgentID: "p", AgentDepth: 2, AgentName: "coder", CWD: "/w", Model: "m", Metadata: map[string]any{"k": "v"}}
	e := lua(t, `on("stop", function(ev) return context(table.concat({ ev.session_id, ev.agent_name, ev.parent_agent_id, ev.cwd, ev.metadata.k }, " ")) end)`)
	equal(t, "what hooks see", fire(t, e, c.Event(hooks.Stop)).NewContext, "s coder p /w v")
}
