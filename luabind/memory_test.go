package luabind_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// Tables and closures are charged by nobody; the heap tells.
func TestTheHeapIsWatched(t *testing.T) {
	for name, body := range map[string]string{
		"tables":   `local keep = {} while true do keep[#keep + 1] = { x = 1 } end`,
		"nested":   `local t = {} while true do t = { t } end`,
		"closures": `local f while true do local g = f f = function() return g end end`,
		"caught":   `local keep = {} pcall(function() while true do keep[#keep + 1] = { x = 1 } end end) return context("x")`,
	} {
		t.Run(name, func(t *testing.T) {
			s := load(t, `on("stop", function(ev) `+body+` end)`, luabind.Environment{})
			out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Memory: 8 << 20, Instructions: 1 << 50, Timeout: time.Minute})
			stopped(t, s, out, hooks.LimitMemory, file+":1", "memory", "(raise limits.memory to give it more)")
		})
	}
}

// A table that begins empty takes the memory of the names that it gets.
func TestTablesTakeRoomAsNamesCome(t *testing.T) {
	const tables = 2000
	source := fmt.Sprintf(`on("stop", function(ev) for i = 1, %d do local t = {} t.name = i end end)`, tables)
	s := load(t, source, luabind.Environment{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{})
	runtime.ReadMemStats(&after)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	if each := (after.TotalAlloc - before.TotalAlloc) / tables; each > 1500 {
		t.Errorf("a table with one name took %d bytes", each)
	}
}

// A state of a small script keeps what it needs: there may be thousands.
func TestSmallStatesAreSmall(t *testing.T) {
	p := compiled(t, file, `on("stop", function(ev) end)`)
	states := make([]*luabind.State, 500)
	before := live()
	for i := range states {
		s, err := luabind.NewState(context.Background(), p, luabind.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		states[i] = s
	}
	if each := (live() - before) / int64(len(states)); each > 4800 {
		t.Errorf("a state keeps %d bytes", each)
	}
	runtime.KeepAlive(states)
}

// live is how many bytes of the heap are in use.
func live() int64 {
	runtime.GC()
	runtime.GC() // what the first one left in pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// What an embedder allocates meanwhile is no fault of a hook that is soon done.
func TestAShortHookDoesNotPayForOthers(t *testing.T) {
	p := &probe{}
	s := load(t, `on("stop", function(ev) for i = 1, 4000 do probe.grow() end return context("done") end)`, luabind.Environment{Modules: []luabind.Module{p.module()}})
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Memory: 1 << 20})
	if out.Err != nil || out.Instructions > 20_000 {
		t.Errorf("%d instructions, %v", out.Instructions, out.Err)
	}
}

func TestOneValueMayTakeAQuarter(t *testing.T) {
	const source = `on("stop", function(ev) probe.allocate(256 * 1024) probe.allocate(ev.metadata.bytes) probe.keep("lives on") end)`
	for bytes, want := range map[string]string{
		"262144":           "",
		"262145":           "a single value would have taken more than 256 KiB, a quarter of its memory (raise limits.memory to give it more)",
		"9007199254740991": "a single value",
	} {
		p := &probe{}
		s := load(t, source, luabind.Environment{Modules: []luabind.Module{p.module()}})
		out := s.Call(context.Background(), 0, event(t, hooks.Stop, `{"metadata":{"bytes":`+bytes+`}}`), luabind.Limits{Memory: 1 << 20})
		if want == "" {
			if out.Err != nil {
				t.Errorf("%s bytes: %v", bytes, out.Err)
			}
			continue
		}
		stopped(t, s, out, hooks.LimitMemory, want)
	}
}

// What a run builds is summed up over all of it, and the limit can't be swallowed.
func TestMemoryIsSummedUp(t *testing.T) {
	p := &probe{}
	s := load(t, `on("stop", function(ev) while pcall(probe.allocate, 100 * 1024) do probe.keep(1) end probe.keep("lives on") end)`, luabind.Environment{Modules: []luabind.Module{p.module()}})
	stopped(t, s, s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Memory: 1 << 20}), hooks.LimitMemory, "more than its 1 MiB of memory")
	if len(p.kept) < 8 || len(p.kept) > 10 {
		t.Errorf("%d steps of 100 KiB under 1 MiB", len(p.kept))
	}
}

// What scripts keep in their locals stays over the runs and no run's limit sees it
// add up. A state that may have gathered much goes.
func TestStatesWearOut(t *testing.T) {
	for name, body := range map[string]string{
		"charged": `keep[#keep + 1] = probe.allocate(64 * 1024)`,
		"tables":  `for i = 1, 100 do keep[#keep + 1] = { x = 1 } end`,
	} {
		t.Run(name, func(t *testing.T) {
			runtime.GC() // what was live before is not of this state
			s := load(t, `local keep = {} on("stop", function(ev) `+body+` end)`, withProbe())
			runs := 0
			for ; !s.Broken() && runs < 10_000; runs++ {
				calls(t, s, 0, sample(t, hooks.Stop))
			}
			if runs < 20 || runs > 5000 {
				t.Errorf("it took %d runs", runs)
			}
		})
	}
	runtime.GC() // what was live before is not of this state
	s := load(t, `on("stop", function(ev) local t = {} for i = 1, 100 do t[i % 10] = { x = i } end end)`, luabind.Environment{})
	for range 2000 {
		calls(t, s, 0, sample(t, hooks.Stop))
	}
	if s.Broken() {
		t.Error("a state that keeps nothing is worn out")
	}
}

// A text that grows piece by piece is charged for the pieces.
func TestATextMayGrow(t *testing.T) {
	for _, body := range []string{
		`local s = "" for i = 1, 20000 do s = s .. "l" end assert(#s == 20000)`,
		`local s = "" for i = 1, 3000 do s = s .. "a line of a report, number " .. i .. "\n" end assert(#s > 90000)`,
		`local a, b = "", "" for i = 1, 5000 do a = "x" .. a b = b .. i .. a:sub(1, 1) end assert(#a == 5000)`,
	} {
		s := load(t, `on("stop", function(ev) `+body+` end)`, luabind.Environment{})
		calls(t, s, 0, sample(t, hooks.Stop))
	}
	for name, tt := range map[string]struct{ body, want string }{
		"kept":     {`local keep, s = {}, ("x"):rep(1e5) for i = 1, 3000 do s = s .. "y" keep[i] = s end`, "the heap grew by more than its 8 MiB"},
		"doubled":  {`local s = "x" while true do s = s .. s end`, "a single value would have taken more than 2 MiB"},
		"too long": {`local s = ("x"):rep(1.1e6) .. "y" s = s .. s`, "a single value would have taken more than 2 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			runtime.GC() // of what is garbage by then the heap is free
			s := load(t, `on("stop", function(ev) `+tt.body+` end)`, luabind.Environment{})
			stopped(t, s, s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Memory: 8 << 20, Instructions: 1 << 50}), hooks.LimitMemory, tt.want, "(raise limits.memory to give it more)")
		})
	}
}

// What is copied while a text grows is bounded as well. Garbage is collected often and the
// limit is large, so that the garbage doesn't reach it first.
func TestATextCantGrowForEver(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	s := load(t, `on("stop", function(ev) local s = ("x"):rep(2e5) while true do s = s .. "y" end end)`, luabind.Environment{})
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Instructions: 1 << 50, Memory: 128 << 20, Timeout: time.Minute})
	stopped(t, s, out, hooks.LimitMemory, "it built one string over and over, 2 GiB in all (raise limits.memory to give it more)")
}

// What a state has got hold of while it loaded or in an earlier run makes single
// instructions of a later one slow, so looks are as frequent.
func TestLargeValuesAreRemembered(t *testing.T) {
	for name, script := range map[string]string{
		"loaded": `local k = "0." .. ("1"):rep(2^23) on("stop", function(ev) while true do local a = k + k end end)`,
	} {
		t.Run(name, func(t *testing.T) {
			s := load(t, script, luabind.Environment{})
			out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Timeout: 20 * time.Millisecond})
			stopped(t, s, out, hooks.LimitTime, "it ran longer than its 20ms")
			if out.Instructions > 60 { // each takes milliseconds
				t.Errorf("it was stopped after %d instructions", out.Instructions)
			}
		})
	}
}

// Whatever .. and tostring make of a value that is no text yet is charged as text is.
func TestTextOfOtherValuesIsCharged(t *testing.T) {
	env := luabind.Environment{Objects: []luabind.Object{luabind.HostObject{Name: "desk", Value: refusing{}, Methods: []string{"Open"}}}}
	for name, body := range map[string]string{
		"a whole number before":  `local s = n .. long`,
		"a whole number after":   `local s = long .. n`,
		"between":                `local s = long .. n .. long`,
		"two whole numbers":      `local s = n for i = 1, 10 do s = s .. n .. n end`,
		"an error of the host's": `local s = failed .. long`,
		"after it":               `local s = long .. failed`,
		"an answer":              `local s = tostring(answer)`,
		"an answer in a format":  `local s = ("%s"):format(answer)`,
		"a whole number, again":  `local s = n:rep(1000)`,
		"a list of them":         `local s = table.concat({ n, n, n, long })`,
	} {
		t.Run(name, func(t *testing.T) {
			if name == "a whole number, again" {
				body = `local s = string.rep(n, 1000)`
			}
			s := load(t, `local long = ("x"):rep(2^14)
on("stop", function(ev) local n, answer = ev.metadata.n, deny(("\1"):rep(1000))
  local _, failed = desk.Open()
  for i = 1, 1000 do `+body+` end end)`, env)
			out := s.Call(context.Background(), 0, event(t, hooks.Stop, `{"metadata":{"n":9007199254740993}}`), luabind.Limits{Memory: 128 << 10, Instructions: 1 << 40, Timeout: time.Minute})
			stopped(t, s, out, hooks.LimitMemory, "(raise limits.memory to give it more)")
			if out.Instructions >= heapArmed {
				t.Errorf("it ran for %d instructions", out.Instructions)
			}
		})
	}
}

// heapArmed is when the watch over the heap begins, which is no charge.
const heapArmed = 20_000

type refusing struct{}

func (refusing) Open() (int, error) { return 0, errors.New("it is locked") }
