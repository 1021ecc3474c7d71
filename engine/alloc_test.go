package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// What an event costs in memory, which unlike its time is the same everywhere.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools lose what they are given, so that memory isn't used again")
	}
	const guard = `
local patterns = { "rm -rf /", "mkfs", "dd if=" }
on("pre_tool_call", { match = "bash" }, function(ev)
  local command = ev.tool_call.command
  for i = 1, #patterns do
    if string.find(command, patterns[i], 1, true) then return deny("blocked: " .. patterns[i]) end
  end
end)
on("post_tool_call", function(ev)
  if #ev.tool_call.output > 5e6 then return context("long") end
end)`
	read := &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "read", Input: map[string]any{"file_path": "cart.go"}}}
	output := bash("make")
	output.Event = hooks.PostToolCall
	output.ToolCall.Output = strings.Repeat("x", 4<<20)
	var commands []*hooks.Context // none is the one before
	for i := range 8 {
		commands = append(commands, bash(fmt.Sprintf("go test ./pkg%d", i)))
	}
	tests := []struct {
		name   string
		files  int // with the guard
		events []*hooks.Context
		want   hooks.Decision
		most   float64
	}{
		{"no hook", 1, []*hooks.Context{{Event: hooks.PrePrompt}}, hooks.NoOpinion, 0},
		{"no match", 1, []*hooks.Context{read}, hooks.NoOpinion, 0},
		{"no match of many", 20, []*hooks.Context{read}, hooks.NoOpinion, 0},
		{"allow", 1, commands, hooks.NoOpinion, 2}, // the result, and the command as Lua has it
		{"allow of many", 20, commands, hooks.NoOpinion, 22},
		{"block", 1, []*hooks.Context{bash("rm -rf /")}, hooks.Deny, 6},
		{"length of a long output", 1, []*hooks.Context{output}, hooks.NoOpinion, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var options []engine.Option
			for i := range test.files {
				options = append(options, engine.WithScript(fmt.Sprintf("%d.lua", i), guard))
			}
			e, ctx, i := newEngine(t, options...), context.Background(), 0
			n := testing.AllocsPerRun(500, func() {
				i++
				if r, err := e.Fire(ctx, test.events[i%len(test.events)]); err != nil || r.Decision != test.want {
					t.Fatalf("%+v, %v", r, err)
				}
			})
			if n > test.most {
				t.Errorf("%v allocations, want at most %v", n, test.most)
			}
		})
	}
}

// A long text that only its length is asked of is neither copied nor does it use up the
// state.
func TestALongOutputIsNotCopied(t *testing.T) {
	e := lua(t, `on("post_tool_call", function(ev) if #ev.tool_call.output < 4e6 then error("it is short") end end)`)
	c := bash("make")
	c.Event, c.ToolCall.Output = hooks.PostToolCall, strings.Repeat("x", 4<<20)
	result := testing.Benchmark(func(b *testing.B) {
		for range b.N {
			if r := fire(t, e, c); len(r.Warnings) > 0 {
				t.Fatal(r.Warnings)
			}
		}
	})
	if n := result.AllocedBytesPerOp(); n > 16<<10 {
		t.Errorf("%d bytes for an event with an output of 4 MiB", n)
	}
}
