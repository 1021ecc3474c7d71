package lib

import (
	"context"
	"runtime"
	"testing"

	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// guard is a script with one hook, as most are.
const guard = `on("pre_tool_call", { match = "bash" }, function(ev)
  if ev.tool_call.command:find("rm -rf", 1, true) then return deny("no") end
end)`

// guardStates makes states of guard with all that an engine gives to scripts.
func guardStates(t testing.TB) func() *luabind.State {
	p, err := compile.Script("guard.lua", guard)
	if err != nil {
		t.Fatal(err)
	}
	env := luabind.Environment{Modules: Modules(), Words: Words()}
	return func() *luabind.State {
		s, err := luabind.NewState(context.Background(), p, env)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// BenchmarkNewState is what each script costs when it is loaded, beside compiling it.
func BenchmarkNewState(b *testing.B) {
	newState := guardStates(b)
	b.ReportAllocs()
	for b.Loop() {
		newState()
	}
}

// BenchmarkIdleState is what a state holds on to while it waits for its next event.
func BenchmarkIdleState(b *testing.B) {
	newState := guardStates(b)
	for b.Loop() {
		b.ReportMetric(float64(heldBy(200, newState)), "heap-B/state")
	}
}

// An engine keeps hundreds of states.
func TestAnIdleStateIsSmall(t *testing.T) {
	if held := heldBy(200, guardStates(t)); held > 100<<10 {
		t.Errorf("a state of a small script holds %d bytes", held)
	}
}

// heldBy is the memory that n things keep, for each.
func heldBy[T any](n int, make func() T) int64 {
	kept := []T{make()} // what the first one leaves to all
	before := heap()
	for range n {
		kept = append(kept, make())
	}
	held := heap() - before
	runtime.KeepAlive(kept)
	return held / int64(n)
}

// heap is what is in use once the garbage is gone.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // of the pools, too
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
