package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// token is put together so that no scanner takes this file for one that leaks it.
var token = "gh" + "p_Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"

type shown struct {
	Stdout string         `json:"stdout"`
	Raw    []byte         `json:"raw"`
	Err    error          `json:"err"`
	At     time.Time      `json:"at"`
	More   map[string]any `json:"more"`
	Next   *shown         `json:"next,omitempty"`
}

// Whatever a host in Go gives for a tool's output, secrets are found in it, or it is withheld.
func TestOutputsOfGoAreRedacted(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithBuiltin("secret-redactor", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	type text string
	for name, output := range map[string]any{
		"struct":  shown{Stdout: "it is " + token, Next: &shown{}},
		"pointer": &shown{Next: &shown{Raw: []byte(token)}},
		"error":   shown{Err: errors.New("no " + token)},
		"bytes":   []byte("it is " + token),
		"text":    text("it is " + token),
		"list":    []text{"", text(token)},
		"map":     map[text]text{"a": text(token)},
		"key":     map[text]int{text(token): 1},
		"inside":  []any{map[string]any{"a": &[]any{text(token)}}},
		"errors":  fmt.Errorf("a: %w", errors.New(token)),
	} {
		r := fire(t, e, ran(hooks.PostToolCall, output))
		if r.Output == nil || strings.Contains(asJSON(t, r), token[4:20]) || !strings.Contains(asJSON(t, r.Output), "[redacted: github token]") {
			t.Errorf("%s: %s", name, asJSON(t, r))
		}
	}
	r := fire(t, e, ran(hooks.PostToolCall, &shown{Stdout: "nothing"}))
	if r.Output != nil {
		t.Errorf("there was nothing to take out of %s", asJSON(t, r))
	}
	self := map[string]any{"token": token}
	self["self"] = self
	for name, output := range map[string]any{
		"function": map[string]any{"a": token, "f": func() {}}, "channel": []any{token, make(chan int)}, "NaN": []any{token, math.NaN()}, "itself": self, "many": make([]int, hooks.MaxValues+1),
	} {
		r, err := e.Fire(t.Context(), ran(hooks.PostToolCall, output))
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		isWithheld(t, r, "no hook could look at it")
	}
	bad := ran(hooks.PreToolCall, nil)
	bad.ToolCall.Input["f"] = func() {}
	if r, err := e.Fire(t.Context(), bad); err != nil || !strings.Contains(asJSON(t, r), `"block":false`) {
		t.Errorf("nobody asks about it, and yet: %v", err) // an event that no hook is registered for is not looked at
	}
}

// What a Go hook answers is data, too; what isn't is the failure of that hook.
func TestAnswersOfGoAreMadePlain(t *testing.T) {
	type text string
	e := lua(t, `on("post_tool_call", {priority=-1}, function(ev) return context(ev.tool_call.output.a) end)`)
	register(t, e, hooks.PostToolCall, hooks.Options{Name: "go", Priority: 1}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return &hooks.Result{Output: struct {
			A text `json:"a"`
		}{"from Go"}}, nil
	})
	r := fire(t, e, ran(hooks.PostToolCall, raw))
	equal(t, "context", r.NewContext, "from Go")
	equal(t, "output", asJSON(t, r.Output), `{"a":"from Go"}`)

	bad := newEngine(t)
	register(t, bad, hooks.PostToolCall, hooks.Options{Name: "go", OnFailure: hooks.Block}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return &hooks.Result{Output: func() {}}, nil
	})
	r = fire(t, bad, ran(hooks.PostToolCall, raw))
	isWithheld(t, r, "hook go")
	contains(t, r.Reason, "answer: Output: value: a value of type func() is not data")
}
