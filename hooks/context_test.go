package hooks_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/luahook/luahook/hooks"
)

// fullContext has every field set; its JSON is fullJSON.
func fullContext() *hooks.Context {
	return &hooks.Context{
		Event: "on_retry", SessionID: "s-1", RunID: "r-1", IssueID: "SHOP-41", AgentID: "a-2", ParentAgentID: "a-1", AgentDepth: 1,
		CWD: "/work/shop", Model: "sonnet-5", Prompt: "fix it", Response: "fixed",
		ToolCall: &hooks.ToolCall{
			ID: "c-1", Name: "bash", HostName: "Bash", Kind: "shell", Command: "ls a", Paths: []string{"a"},
			Input: map[string]any{"command": "ls a"}, Output: "a\n", Outcome: "ok", Duration: 812345 * time.Microsecond,
		},
		Error:     &hooks.ErrorInfo{Message: "reset", Kind: "network", IsRetryable: true, Hook: "guard", Source: "a.lua:1", Event: "stop"},
		Usage:     &hooks.Usage{InputTokens: 5, OutputTokens: 6, CacheTokens: 7, CostUSD: 0.5},
		LoopCount: 2,
		Metadata:  map[string]any{"permission_mode": "plan"},
		Fields:    map[string]any{"attempt": int64(2), "delay": 1.5},
	}
}

func TestContextValue(t *testing.T) {
	c := fullContext()
	c.Judging = true
	want := map[string]any{
		"event": "on_retry", "canonical_event": "on_retry", "session_id": "s-1", "run_id": "r-1", "issue_id": "SHOP-41", "agent_id": "a-2", "parent_agent_id": "a-1", "agent_depth": int64(1),
		"cwd": "/work/shop", "root": nil, "model": "sonnet-5", "prompt": "fix it", "response": "fixed", "tool_call": c.ToolCall, "error": c.Error, "usage": c.Usage,
		"loop_count": int64(2), "metadata": c.Metadata, "judging": true, "attempt": int64(2), "delay": 1.5, "max_retries": nil, "tool_name": nil, "agent_name": nil,
	}
	for name, v := range want {
		if got, known := c.Value(name); !known || !cmp.Equal(got, v) {
			t.Errorf("Value(%q) = %v, %t; want %v", name, got, known, v)
		}
		if !slices.Contains(c.Keys(), name) {
			t.Errorf("Keys leaves out %q", name)
		}
	}
	if len(c.Keys()) != len(want) {
		t.Errorf("Keys has %q, want the %d names of the table", c.Keys(), len(want))
	}
	if got, known := c.Value("atempt"); got != nil || known {
		t.Errorf("Value of a name that on_retry doesn't have = %v, %t", got, known)
	}
}

func TestAbsentFieldsAreNil(t *testing.T) {
	c := &hooks.Context{Event: "stop"}
	for _, name := range c.Keys() {
		var want any
		switch name {
		case "event", "canonical_event":
			want = "stop"
		case "agent_depth", "loop_count":
			want = int64(0)
		case "metadata":
			want = map[string]any{}
		case "judging":
			want = false
		}
		if got, known := c.Value(name); !known || !cmp.Equal(got, want) {
			t.Errorf("Value(%q) = %#v, %t; want %#v", name, got, known, want)
		}
	}
	unknown := &hooks.Context{Event: "nonsense"}
	if _, known := unknown.Value("attempt"); known || unknown.Keys() != nil {
		t.Error("an unknown event has no fields of its own")
	}
}

func TestRecordsKnowTheirKeys(t *testing.T) {
	c := fullContext()
	for name, r := range map[string]interface {
		Keys() []string
		Value(string) (any, bool)
	}{"tool_call": c.ToolCall, "error": c.Error, "usage": c.Usage} {
		for _, key := range r.Keys() {
			if key == "language" { // a tool that is called bash doesn't say it
				continue
			}
			if v, known := r.Value(key); !known || v == nil {
				t.Errorf("%s.%s = %v, %t", name, key, v, known)
			}
		}
		if v, known := r.Value("comand"); known || v != nil {
			t.Errorf("%s has a field %q: %v", name, "comand", v)
		}
	}
	call := &hooks.ToolCall{}
	for key, want := range map[string]any{"command": nil, "output": nil, "input": map[string]any{}, "paths": []any{}, "duration_ms": 0.0} {
		if got, _ := call.Value(key); !cmp.Equal(got, want) {
			t.Errorf("%s of an empty call = %#v, want %#v", key, got, want)
		}
	}
	if got, _ := c.ToolCall.Value("duration_ms"); got != 812.345 {
		t.Errorf("duration_ms = %v", got)
	}
}

func TestCloneSharesNothing(t *testing.T) {
	fresh := func() *hooks.Context {
		c := fullContext()
		c.ToolCall.Output = map[string]any{"lines": []any{"a", "b"}}
		c.Metadata["hosts"] = []string{"x"}
		return c
	}
	c, want := fresh(), fresh()
	d := c.Clone()
	if diff := cmp.Diff(want, d); diff != "" {
		t.Fatalf("a clone is the same: %s", diff)
	}
	d.Metadata["new"], d.Fields["attempt"] = 1, 9
	d.Metadata["hosts"].([]string)[0] = "y"
	d.ToolCall.Input["command"], d.ToolCall.Paths[0], d.ToolCall.Name = "rm", "z", "read"
	d.ToolCall.Output.(map[string]any)["lines"].([]any)[0] = "z"
	d.Error.Message, d.Usage.InputTokens = "other", 99
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("changing the clone changed the original: %s", diff)
	}
	if diff := cmp.Diff(&hooks.Context{Event: "stop"}, (&hooks.Context{Event: "stop"}).Clone()); diff != "" {
		t.Errorf("what was absent stays absent: %s", diff)
	}
}

func TestCompleteDoesNotChangeItsReceiver(t *testing.T) {
	given := &hooks.Context{Event: "PreToolUse", ToolCall: &hooks.ToolCall{Name: "Shell", Command: "ls"}}
	want := given.Clone()
	done, err := given.Complete()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, given); diff != "" {
		t.Errorf("the receiver changed: %s", diff)
	}
	full := &hooks.ToolCall{Name: "bash", HostName: "Shell", Kind: "shell", Command: "ls", Input: map[string]any{"command": "ls"}}
	if diff := cmp.Diff(&hooks.Context{Event: "pre_tool_call", ToolCall: full}, done); diff != "" {
		t.Error(diff)
	}
	again, err := done.Complete()
	if diff := cmp.Diff(done, again); diff != "" || err != nil {
		t.Errorf("a complete event stays as it is: %v %s", err, diff)
	}
}

func TestCompleteRefuses(t *testing.T) {
	for _, c := range []struct {
		give  hooks.Context
		field string
		says  string
	}{
		{hooks.Context{Event: "pre_tool_call"}, "tool_call", `missing; pre_tool_call needs it as {"name": ..., "input": {...}}`},
		{hooks.Context{Event: "post_tool_call", Metadata: map[string]any{"tool_name": "Bash"}}, "tool_call", `"tool_name" is another agent's spelling`},
		{hooks.Context{Event: "pre_tool_call", ToolCall: &hooks.ToolCall{}}, "tool_call.name", "missing"},
		{hooks.Context{Event: "on_retry", Fields: map[string]any{"atempt": 1}}, "atempt", `did you mean "attempt"?`},
		{hooks.Context{Event: "stop", Fields: map[string]any{"attempt": 1}}, "attempt", "stop has no field of its own by that name"},
		{hooks.Context{Event: "on_retry", Fields: map[string]any{"session_id": "s"}}, "session_id", "set the field of hooks.Context with that name instead of Fields"},
		{hooks.Context{Event: "post_response", Fields: map[string]any{"response": "done"}}, "response", "instead of Fields"},
		{hooks.Context{Event: "on_retry", Fields: map[string]any{"attempt": "two"}}, "attempt", "want integer, got string"},
		{hooks.Context{Event: "on_retry", Fields: map[string]any{"attempt": 1.5}}, "attempt", "want integer, got number"},
		{hooks.Context{Event: "parallel_join", Fields: map[string]any{"branches": map[string]any{}}}, "branches", "want list, got object"},
		{hooks.Context{Event: "on_retry", Fields: map[string]any{"delay": time.Second}}, "delay", "want number, got time.Duration"},
	} {
		_, err := c.give.Complete()
		var input *hooks.InputError
		if !errors.As(err, &input) || input.Field != c.field || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want field %q and %q", c.give.Event, err, c.field, c.says)
		}
	}
	_, err := (&hooks.Context{Event: "pre_tool_cal"}).Complete()
	var unknown *hooks.UnknownEventError
	if !errors.As(err, &unknown) || unknown.Nearest != "pre_tool_call" {
		t.Errorf("unknown event: %v", err)
	}
}

// Any field of a row may be required, not only tool_call.
func TestRequiredFieldsOfAnyKind(t *testing.T) {
	info := &hooks.EventInfo{Name: "pre_deploy", Fields: []hooks.Field{
		{Name: "target", Type: hooks.String, Required: true}, {Name: "dry", Type: hooks.Boolean, Required: true}, {Name: "prompt", Type: hooks.String, Required: true},
	}}
	for _, c := range []struct {
		give    hooks.Context
		missing string
	}{
		{hooks.Context{Prompt: "p", Fields: map[string]any{"target": "t", "dry": false}}, ""},
		{hooks.Context{Prompt: "p", Fields: map[string]any{"dry": true}}, "target"},
		{hooks.Context{Prompt: "p", Fields: map[string]any{"target": "t"}}, "dry"},
		{hooks.Context{Fields: map[string]any{"target": "t", "dry": false}}, "prompt"},
		{hooks.Context{Prompt: "p", ToolCall: &hooks.ToolCall{Name: "bash"}}, "target"},
	} {
		err := c.give.CompleteInto(new(hooks.Context), info)
		var input *hooks.InputError
		if c.missing == "" && err == nil {
			continue
		}
		if !errors.As(err, &input) || input.Field != c.missing || !strings.Contains(err.Error(), "missing; pre_deploy needs it") {
			t.Errorf("%+v: %v; want %q missing", c.give, err, c.missing)
		}
	}
}

func TestGoNumbersMayStandInFields(t *testing.T) {
	c := hooks.Context{Event: "on_retry", Fields: map[string]any{"attempt": 2, "max_retries": 5.0, "delay": 4}}
	if _, err := c.Complete(); err != nil {
		t.Error(err)
	}
	for _, event := range []hooks.Event{"deploy.requested", "gateway_start"} {
		if _, err := (&hooks.Context{Event: event}).Complete(); err != nil {
			t.Errorf("%s needs nothing: %v", event, err)
		}
	}
}

// Reused memory keeps nothing of the event before.
func TestCompleteIntoForgetsTheEventBefore(t *testing.T) {
	given := func() []*hooks.Context {
		return []*hooks.Context{
			{Event: "pre_tool_call", CWD: "/w", ToolCall: &hooks.ToolCall{Name: "Edit", ID: "1", Input: map[string]any{"file_path": "a", "paths": []any{"b", "c"}}}},
			{Event: "PreToolUse", ToolCall: &hooks.ToolCall{Name: "Read", Input: map[string]any{"file_path": "d"}}},
			{Event: "stop", Response: "x"},
			{Event: "pre_tool_call", ToolCall: &hooks.ToolCall{Name: "Bash", Command: "ls"}},
		}
	}
	into := hooks.Context{ToolCall: &hooks.ToolCall{Paths: []string{"of the event before", "and another"}}}
	call, paths := into.ToolCall, into.ToolCall.Paths
	for i, c := range given() {
		want, err := c.Complete()
		if err != nil {
			t.Fatal(err)
		}
		into.ToolCall, call.Paths = call, paths
		if err := c.CompleteInto(&into, hooks.Lookup(c.Event)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, &into); diff != "" {
			t.Errorf("%d: %s", i, diff)
		}
		if diff := cmp.Diff(given()[i], c); diff != "" {
			t.Errorf("%d: what was given changed: %s", i, diff)
		}
	}
}

// Only the engine sets whether a hook judges: a host that sets it would silence hooks.
func TestCompleteForgetsJudging(t *testing.T) {
	c, err := (&hooks.Context{Event: hooks.Stop, Judging: true}).Complete()
	if err != nil || c.Judging {
		t.Errorf("%+v, %v", c, err)
	}
}
