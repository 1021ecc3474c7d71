package audit

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/luahook/luahook/internal/redact"
)

// The agent waits while its event is recorded. One with very many values isn't worked through again and again.
func TestManyValuesAreCutAtOnce(t *testing.T) {
	input := map[string]any{}
	for i := range 190_000 {
		input[fmt.Sprintf("key%d", i)] = "x"
	}
	for name, r := range map[string]Record{"input": {Input: input, Reason: "no"}, "context": {Context: map[string]any{"tool_call": input}, Reason: "no"}} {
		redactor := redact.New(nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		kept, err := r.Kept(redactor)
		runtime.ReadMemStats(&after)
		if err != nil || !kept.Cut || kept.Reason != "no" {
			t.Fatalf("%s: %v, %+v", name, err, kept)
		}
		if built := after.TotalAlloc - before.TotalAlloc; built > 8<<20 {
			t.Errorf("%s: %d MiB were built for it", name, built>>20)
		}
	}
}
