package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/luahook/luahook/engine"
)

// BenchmarkLoadFiles measures how long an engine takes to read and load a folder of
// many scripts, and what it then holds.
func BenchmarkLoadFiles(b *testing.B) {
	const files = 1000
	dir := b.TempDir()
	for i := range files {
		source := fmt.Sprintf(`-- guard %d
on("pre_tool_call", { name = "guard-%[1]d", match = "bash" }, function(ev)
  local command = ev.tool_call.command
  for _, word in ipairs{ "rm -rf", "mkfs", "shutdown" } do
    if command:find(word, 1, true) then return deny("no " .. word) end
  end
end)
`, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("guard%d.lua", i)), []byte(source), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	var held uint64
	for b.Loop() {
		b.StopTimer()
		before := inUse()
		b.StartTimer()
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithHooksDir(dir, dir))
		if err != nil || len(e.LoadErrors()) > 0 {
			b.Fatal(err, e.LoadErrors())
		}
		b.StopTimer()
		held = inUse() - before
		e.Close(context.Background())
		b.StartTimer()
	}
	b.ReportMetric(float64(held)/(1<<20), "heap-MiB")
}

// inUse is the memory in use once the garbage is gone.
func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // of the pools, too
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
