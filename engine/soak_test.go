package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// soakHooks are the hostile hooks of the soak test, each with how its run ends: by
// the limit of that name or by any ("limit"), by an error (""), or "held".
var soakHooks = []struct{ name, end, body string }{
	{"spin", "limit instructions", `while true do end`},
	{"swallow", "limit instructions", `while true do pcall(function() while true do end end) end`},
	{"spinning coroutine", "limit instructions", `coroutine.wrap(function() while true do end end)()`},
	{"matcher", "limit instructions", `return ("a"):rep(30):find(("a?"):rep(30) .. ("a"):rep(30))`},
	{"callbacks", "limit instructions", `while true do ("abc"):gsub(".", string.upper) end`},
	{"new coroutines", "limit", `while true do coroutine.wrap(function() coroutine.yield() end)() end`},
	{"doubling", "limit", `local s = "x" while true do s = s .. s end`},
	{"rep", "limit memory", `return ("x"):rep(2 ^ 34)`},
	{"caught rep", "limit memory", `pcall(string.rep, "x", 2 ^ 34) return allow()`},
	{"far slot", "limit memory", `local t = {} t[6e7] = 1`},
	{"wide join", "limit", `local t = {} for i = 1, 100 do t[i] = ("y"):rep(1e4) end return table.concat(t) .. table.concat(t)`},
	{"recursion", "limit stack", `local function f() return 1 + f() end return f()`},
	{"caught recursion", "limit stack", `local function f() return 1 + f() end pcall(f)`},
	{"nested pcall", "limit", `local function f() return pcall(f) end f()`},
	{"metamethods", "limit stack", `local t = setmetatable({}, {__index = function(t, k) return t[k .. "x"] end}) return t.x`},
	{"error object", "", `error(setmetatable({}, {__tostring = function() error("again") end}))`},
	{"far yield", "", `coroutine.yield(allow())`},
	{"deep json", "", `return json.decode(("["):rep(5000))`},
	{"bad answer", "", `return setmetatable({}, {__index = allow})`},
	{"late registration", "", `on("pre_tool_call", function() end)`},
	{"tampering", "held", `
		for k in pairs(_G) do _G[k] = nil end
		string, pcall, seen = nil, error, (seen or 0) + 1
		assert(seen == 1)
		return allow("held")`},
	{"resume cycle", "held", `
		local a, b
		a = coroutine.create(function() return coroutine.resume(b) end)
		b = coroutine.create(function() return coroutine.resume(a) end)
		coroutine.resume(a)
		return allow("held")`},
	{"hoard", "held", `hoard[#hoard + 1] = ("h"):rep(1e5) return allow("held")`},
	{"caught errors", "held", `
		local n = 0
		for i = 1, 20 do if not pcall(error, {}) then n = n + 1 end end
		assert(n == 20)
		return allow("held")`},
}

// soakDefaults run under the default limits, now and then. The heap is watched over all
// of them, so any limit may end them.
var soakDefaults = []struct{ name, end, body string }{
	{"long spin", "limit", `while true do end`},
	{"large doubling", "limit", `local s = "x" while true do s = s .. s end`},
	{"many tables", "limit", `local t = {} while true do t[#t + 1] = {#t} end`},
}

// soakGood answers with what only this event holds.
const soakGood = `
local seen = {}
on("pre_tool_call", {name = "good", match = {command = "/^good /"}}, function(ev)
  local words = {}
  for word in ev.tool_call.command:gmatch("%S+") do words[#words + 1] = word:upper() end
  table.sort(words)
  seen[#seen % 10 + 1] = words
  return deny(string.format("%s %s", table.concat(words, "+"), json.encode({n = tonumber(words[1])})))
end)`

func soakScript(name, body string) string {
	return fmt.Sprintf("local hoard = {}\non(%q, {name = %q, match = {command = %q}}, function(ev)\n%s\nend)\n", hooks.PreToolCall, name, name, body)
}

// Runs from sixteen goroutines, good and hostile in turn: every answer is right, and
// neither memory nor goroutines pile up. There are a hundred thousand of them every night.
func TestSoak(t *testing.T) {
	runs := 4_000
	switch {
	case engine.Nightly && raceEnabled:
		runs = 5_000
	case engine.Nightly:
		runs = 100_000
	case testing.Short() || raceEnabled:
		runs = 2_000
	}
	files := "-- .hooks/hooks.yaml --\nhooks:\n  limits: {instructions: 20000, memory: 1MiB}\n"
	for i, h := range soakHooks {
		files += fmt.Sprintf("-- .hooks/h%02d.lua --\n%s", i, soakScript(h.name, h.body))
	}
	options := []engine.Option{engine.WithScript("good.lua", soakGood), engine.WithLimits(engine.Limits{Timeout: time.Minute})}
	for _, h := range soakDefaults {
		options = append(options, engine.WithScript(h.name, soakScript(h.name, h.body)))
	}
	goroutines := runtime.NumGoroutine()
	e, _ := project(t, files, options...)
	equal(t, "problems", problems(e), "")

	half := soak(t, e, runs/2)
	end := soak(t, e, runs/2)
	t.Logf("heap in use: %d KiB at the half, %d KiB at the end", half>>10, end>>10)
	if end-half > 16<<20 {
		t.Errorf("the heap grew by %d KiB in the second half", (end-half)>>10)
	}
	for range 400 { // those that are about to end
		if runtime.NumGoroutine() <= goroutines {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d at the start", runtime.NumGoroutine(), goroutines)
}

// soak makes that many runs and gives the heap that is in use after them.
func soak(t *testing.T, e *engine.Engine, runs int) int64 {
	t.Helper()
	var next atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for !t.Failed() {
				i := int(next.Add(2))
				if i > runs {
					return
				}
				h := soakHooks[i/2%len(soakHooks)]
				if i%2000 == 0 {
					h = soakDefaults[i/2000%len(soakDefaults)]
				}
				if got := soakEnd(e, h.name); got != h.end && (h.end != "limit" || !strings.HasPrefix(got, "limit ")) {
					t.Errorf("%s ends with %q, want %q", h.name, got, h.end)
				}
				r, err := e.Fire(context.Background(), bash(fmt.Sprintf("good %d", i)))
				if want := fmt.Sprintf(`%d+GOOD {"n":%d}`, i, i); err != nil || r.Reason != want {
					t.Errorf("after %s the good hook answers %q (%v), want %q", h.name, r.Reason, err, want)
				}
			}
		})
	}
	all.Wait()
	runtime.GC()
	runtime.GC() // what the first one has only found to be dead
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}

// soakEnd fires at one hostile hook and tells how it ended, in the words of soakHooks.
func soakEnd(e *engine.Engine, name string) string {
	r, err := e.Fire(context.Background(), bash(name))
	switch {
	case err != nil:
		return err.Error()
	case len(r.Summary().Runs) != 1:
		return fmt.Sprintf("%d runs", len(r.Summary().Runs))
	case r.Summary().Runs[0].Error == nil:
		return r.Reason
	case !r.Block:
		return "not blocked"
	}
	if limit := r.Summary().Runs[0].Error.Limit; limit != "" {
		return "limit " + string(limit)
	}
	return ""
}
