package engine_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// The memory of an event is used again for others, but not while a hook may still have
// its context.
func TestContextsStayTheirEvents(t *testing.T) {
	type key struct{}
	e := lua(t, `on("pre_tool_call", function() end)`)
	var kept []context.Context
	keep := register(t, e, hooks.PreToolCall, hooks.Options{Name: "keep"}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		kept = append(kept, ctx)
		return nil, nil
	})
	for i := range 4 {
		if _, err := e.Fire(context.WithValue(t.Context(), key{}, i), bash("ls")); err != nil {
			t.Fatal(err)
		}
	}
	keep()
	for range 100 {
		if _, err := e.Fire(context.WithValue(t.Context(), key{}, "another"), bash("ls")); err != nil {
			t.Fatal(err)
		}
	}
	for i, ctx := range kept {
		if got := ctx.Value(key{}); got != i {
			t.Errorf("the context of event %d gives %v", i, got)
		}
	}
}
