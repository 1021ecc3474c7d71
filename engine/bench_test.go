package engine_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// BenchmarkFire measures one event with one hook, from the embedder's call to the
// result.
func BenchmarkFire(b *testing.B) {
	const guard = `on("pre_tool_call", {match="bash"}, function(ev)
  if ev.tool_call.command:find("rm -rf", 1, true) then return deny("no") end
end)`
	tests := []struct {
		name, script string
		event        *hooks.Context
		want         hooks.Decision
	}{
		{"allow", guard, bash("go test ./..."), hooks.NoOpinion},
		{"block", guard, bash("rm -rf /"), hooks.Deny},
		{"no_match", guard, &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "read", Input: map[string]any{"file_path": "x"}}}, hooks.NoOpinion},
		{"no_hook", "", bash("go test ./..."), hooks.NoOpinion},
	}
	for _, test := range tests {
		b.Run(test.name, func(b *testing.B) {
			e, err := engine.New(engine.WithoutBuiltins(), engine.WithScript("a.lua", test.script))
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close(context.Background())
			ctx := context.Background()
			b.ReportAllocs()
			for b.Loop() {
				if r, err := e.Fire(ctx, test.event); err != nil || r.Decision != test.want {
					b.Fatal(r.Decision, err)
				}
			}
		})
	}
}
