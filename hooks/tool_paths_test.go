package hooks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A patch may name very many files; it took half a minute to list 20,000 of them once.
func TestManyPaths(t *testing.T) {
	var patch strings.Builder
	var want []string
	for i := range 20_000 {
		name := fmt.Sprintf("f%d.go", i)
		want = append(want, name)
		fmt.Fprintf(&patch, "*** Update File: %s\n*** Update File: %s\n", name, want[i/2])
	}
	for _, input := range []map[string]any{{"input": patch.String()}, {"files": want}, {"files": append(want, want...)}} {
		text, err := json.Marshal(map[string]any{"event": "pre_tool_call", "tool_call": map[string]any{"name": "apply_patch", "input": input}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := DecodeContext(text, "")
		if err != nil {
			t.Fatal(err)
		}
		if c, err = c.Complete(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(c.ToolCall.Paths, want) {
			t.Errorf("%d paths, want %d", len(c.ToolCall.Paths), len(want))
		}
	}
}
