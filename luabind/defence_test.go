package luabind_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// An embedder's function may catch errors itself; the run is over all the same.
func TestNobodyCatchesALimit(t *testing.T) {
	p := &probe{}
	careless := luabind.Module{Name: "careless", Functions: []luabind.Function{{Name: "try", Go: func(L *lua.LState) int {
		_ = L.PCall(0, 0, nil)
		return 0
	}}}}
	s := load(t, `on("stop", function() careless.try(function() while true do end end) probe.grow() end)`,
		luabind.Environment{Modules: []luabind.Module{p.module(), careless}})
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Instructions: 10_000})
	stopped(t, s, out, hooks.LimitInstructions)
	equal(t, "what it did afterwards", len(p.grown), 0)
}

// A handler can be a function in Go, which needs no instruction to do something.
func TestNoHandlerRunsAfterALimit(t *testing.T) {
	for _, body := range []string{
		`xpcall(function() while true do end end, probe.grow)`,
		`local function f() return 1 + f() end xpcall(f, probe.grow)`,
		`xpcall(function() ("x"):rep(2^30) end, probe.grow)`,
		`xpcall(probe.panic, probe.grow)`,
	} {
		p := &probe{}
		s := load(t, `on("stop", function() `+body+` end)`, luabind.Environment{Modules: []luabind.Module{p.module()}})
		if out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Instructions: 100_000}); out.Err == nil {
			t.Errorf("%s: no error", body)
		}
		equal(t, body, len(p.grown), 0)
	}
}

// Raising an error can take long, because of its traceback.
func TestACaughtErrorTakesTime(t *testing.T) {
	p := &probe{}
	s := load(t, `on("stop", function() pcall(function() probe.nap() error("x") end) probe.grow() end)`, luabind.Environment{Modules: []luabind.Module{p.module()}})
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Timeout: 2 * time.Millisecond})
	stopped(t, s, out, hooks.LimitTime)
	equal(t, "what it did afterwards", len(p.grown), 0)
}

// watchedContext counts how often it is asked whether the caller has given up.
type watchedContext struct {
	context.Context
	asked int
}

func (c *watchedContext) Err() error {
	c.asked++
	return c.Context.Err()
}

// Where a script holds much, each instruction can take long, so the clock is looked at
// more often.
func TestTheClockIsLookedAtMoreOftenWhereMuchIsHeld(t *testing.T) {
	large := func(bytes int) string { return `{"reason":"` + strings.Repeat("x", bytes) + `"}` }
	for _, tt := range []struct {
		name, body, event string
		every             int64 // at most so many instructions between two looks
	}{
		{"nothing", ``, `{}`, 128},
		{"2 MiB in one table", `local t = {} for i = 1, 2^16 do t[i] = i end`, `{}`, 16},
		{"9 MiB in one table", `local t = {} for i = 1, 288 * 2^10 do t[#t + 1] = i end`, `{}`, 4},
		{"17 MiB in one table", `local t = {} for i = 1, 2^17 + 2^16 do t["k" .. i] = i end`, `{}`, 1},
		{"9 MiB in many tables", `for i = 1, 2^15 do local t = {} for k = 1, 9 do t[k] = i end end`, `{}`, 4},
		{"15 MiB in many values", `for i = 1, 15 * 2^5 do probe.allocate(2^15) end`, `{}`, 128},
		{"17 MiB in many values", `for i = 1, 17 * 2^5 do probe.allocate(2^15) end`, `{}`, 16},
		{"60 MiB in many values", `for i = 1, 60 * 2^5 do probe.allocate(2^15) end`, `{}`, 16},
		{"2 MiB at once", `probe.allocate(2 * 2^20)`, `{}`, 16},
		{"17 MiB in two values", `probe.allocate(16 * 2^20) probe.allocate(2^20)`, `{}`, 1},
		{"2 MiB of the event", `local s = ev.reason`, large(2 << 20), 16},
		{"9 MiB of the event", `local s = ev.reason`, large(9 << 20), 4},
	} {
		var looks, instructions [2]int64
		for n, loop := range []string{"", " for i = 1, 10000 do end"} {
			s := load(t, `on("stop", function(ev) `+tt.body+loop+` end)`, withProbe())
			c := &watchedContext{Context: context.Background()}
			out := s.Call(c, 0, event(t, hooks.Stop, tt.event), luabind.Limits{})
			if out.Err != nil {
				t.Fatal(tt.name, out.Err)
			}
			looks[n], instructions[n] = int64(c.asked), out.Instructions
		}
		after, want := looks[1]-looks[0], (instructions[1]-instructions[0])/tt.every
		if after < want*9/10 || after > want*3/2+10 {
			t.Errorf("%s: %d looks in %d instructions", tt.name, after, instructions[1]-instructions[0])
		}
	}
}

// What loading has built in small pieces the script may hold in every run.
func TestTheClockIsLookedAtMoreOftenWhereLoadingBuiltMuch(t *testing.T) {
	s := load(t, `local t = {} for i = 1, 400000 do t[i] = i end on("stop", function() for i = 1, 10000 do local _ = #t end end)`, luabind.Environment{})
	c := &watchedContext{Context: context.Background()}
	out := s.Call(c, 0, sample(t, hooks.Stop), luabind.Limits{})
	if out.Err != nil || int64(c.asked) < out.Instructions/5 {
		t.Errorf("%d looks in %d instructions, %v", c.asked, out.Instructions, out.Err)
	}
}

// What is built is charged for before it is built, however small it is beside the heap.
func TestWhatIsBuiltIsChargedAtOnce(t *testing.T) {
	for _, body := range []string{
		// one instruction of the VM
		`for i = 1, 9 do local s = long .. words[1] end`,
		`for i = 1, 3 do long = i .. long .. words[i] .. i end`,
		`local i = 5000 empty[i] = 1`,
		`empty[5000] = 1`,
		`local i = 5000 empty[i], list[i] = 1, 2`,
		`local i = 5000 local t = { [i] = 1 }`,
		`local t = { [5000] = 1 }`,
		`for i = 1, 4 do local t = { unpack(list, 1, 2000) } end`,
		`local function f(...) return arg end for i = 1, 4 do f(unpack(list, 1, 2000)) end`,
		// one call
		`local s = ("x"):rep(30000):rep(3)`,
		`for i = 1, 12 do local s = ("x"):rep(12000) end`,
		`for i = 1, 2 do local s = long:upper() end`,
		`for i = 1, 2 do local s = long:reverse() end`,
		`local s = long:gsub("x", "yy")`,
		`local s = long:gsub("x", { x = "yy" })`,
		`local s = long:gsub("x", function() return "yy" end)`,
		`for i = 1, 2 do local s = ("%s%s"):format(long, i) end`,
		`for i = 1, 2 do local s = ("%q"):format(long) end`,
		`for i = 1, 2000 do local s = ("%99d"):format(i) end`,
		`for i = 1, 5 do coroutine.create(function() end) end`,
		`for i = 1, 5 do coroutine.wrap(function() end) end`,
		`local function f(n) if n > 0 then pcall(f, n - 1) end end f(9)`,
	} {
		t.Run(body, func(t *testing.T) {
			s := load(t, kept+`on("stop", function() `+body+"\nend)", luabind.Environment{})
			out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Memory: 112 << 10})
			wantError(t, out.Err, hooks.KindLimit, "would have")
		})
	}
}

func TestCopiesOfMessagesAreCharged(t *testing.T) {
	s, out := afterLoading(t, luabind.Limits{Memory: 512 << 10}, `for i = 1, 8 do pcall(error, words[i]) end`)
	stopped(t, s, out, hooks.LimitMemory)
}

// A script of ours that builds much is not loaded anew every few runs.
func TestATidyScriptIsNotWornOut(t *testing.T) {
	const script = `on("stop", function() local s = ("x"):rep(64 * 1024) end)`
	for _, tidy := range []bool{false, true} {
		s := load(t, script, luabind.Environment{Tidy: tidy})
		for range 200 {
			if s.Broken() {
				break
			}
			calls(t, s, 0, sample(t, hooks.Stop))
		}
		if s.Broken() == tidy {
			t.Errorf("tidy %v: worn out %v", tidy, s.Broken())
		}
	}
}

// What nobody charges for is seen when it adds up, within a run and over many.
func TestWhatIsNotChargedIsSeen(t *testing.T) {
	s := load(t, `on("stop", function() local keep for i = 1, 400000 do keep = { x = keep } end end)`, luabind.Environment{})
	runtime.GC() // whose garbage is collected during the run hides what the run takes
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Memory: 8 << 20, Timeout: time.Minute})
	stopped(t, s, out, hooks.LimitMemory, "the heap grew by more than its 8 MiB of memory")

	for _, body := range []string{`for i = 1, 200 do keep = { x = keep } end`, `probe.allocate(64 * 1024)`} {
		runtime.GC() // what was live before is not of this state
		s = load(t, `local keep on("stop", function() `+body+` end)`, withProbe())
		for i := range 600 {
			if s.Broken() {
				break
			}
			if i%100 == 99 {
				runtime.GC() // which is when the live heap is known
			}
			calls(t, s, 0, sample(t, hooks.Stop))
		}
		if !s.Broken() {
			t.Errorf("a state that does this 600 times isn't worn out: %s", body)
		}
	}
}

// Work that no instruction shows is charged.
func TestStepsInGoAreCharged(t *testing.T) {
	for body, least := range map[string]int64{
		`local n = 20 (("a"):rep(n)):find(("a?"):rep(n) .. ("a"):rep(n))`: 500_000, // goes back 2^20 times
		`coroutine.wrap(function() for i = 1, 10000 do end end)()`:        10_000,
		`pcall(function() for i = 1, 10000 do end end)`:                   10_000,
	} {
		if _, out := within(t, luabind.Limits{}, body); out.Instructions < least {
			t.Errorf("%s costs %d, want at least %d (%v)", body, out.Instructions, least, out.Err)
		}
	}
}

// The stack of calls has an end, and that of their values.
func TestCallsWithinCallsAreBounded(t *testing.T) {
	for _, body := range []string{
		`local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end f(500)`,
		`local function f(n, ...) if n == 0 then return 0 end return 1 + f(n - 1, ...) end f(10, unpack({}, 1, 4000))`,
	} {
		s, out := within(t, luabind.Limits{}, body)
		stopped(t, s, out, hooks.LimitStack)
	}
}

func TestCoroutinesTakeSoManyValues(t *testing.T) {
	passes(t, `local co = coroutine.create(function(...) return select("#", ...) end)
local ok, why = coroutine.resume(co, 1, unpack({}, 1, 8000)) assert(not ok and why == "too many arguments to resume", why)
assert(select(2, coroutine.resume(co, unpack({}, 1, 7000))) == 7000)`, shellCall(t))
}

func TestNamesOfGuardsCantBeWritten(t *testing.T) {
	passes(t, `for _, v in ipairs{ concat or false, store or false, stores or false, key or false, values or false, arguments or false, arg or false } do assert(not v) end
concat, store, key, values = error, error, error, error
local t, k = {}, "a" .. #"b" t[k] = { [k] = k, unpack{ 1 } } assert(t.a1.a1 == "a1" and t.a1[1] == 1)`, shellCall(t))
}

// Sources that are a little over a bound, which bounds of other things don't refuse.
func TestSourcesJustOverABound(t *testing.T) {
	repeat := strings.Repeat
	for name, tt := range map[string]struct{ source, want string }{
		"levels of an expression": {"x = a" + repeat("+a", 520), "nested deeper than 500 levels"},
		"brackets":                {"x = " + repeat("(", 260) + "1" + repeat(")", 260), "nested deeper than 250 levels"},
		"words":                   {repeat("a=a ", 34_000), "more than 100,000 words and signs"},
		"functions":               {repeat("f(function()end)", 2001), "more than 2,000 functions"},
	} {
		_, err := compile.Script("a.lua", tt.source)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %.300v, want %s", name, err, tt.want)
		}
	}
}

// The stock compiler jumps from the end of such a loop to somewhere else.
func TestConditionsThatBeginWithAConstant(t *testing.T) {
	for condition, want := range map[string]string{
		`not nil or not (1 or m > 3)`: "77", `not ((nil and nil) or not (m < 5))`: "55", `true and (not false or not true)`: "77",
		`nil or m < 3`: "33", `1`: "77", `nil`: "00",
	} {
		body := `local s = "" for i = 1, 2 do local m = 0 while ` + condition + ` do if m > 6 then break end m = m + 1 end s = s .. m end return s`
		equal(t, condition, runSandboxed(body, luabind.Limits{Instructions: 10_000}), want)
	}
}

// What a script throws may be as long as it likes: only the beginning, where the VM says what
// it couldn't index, is looked at for addresses.
func TestOnlyTheBeginningOfAMessageIsMasked(t *testing.T) {
	passes(t, `local text = ("x"):rep(5000) .. " with key 'table: 0x12ab'"
local ok, e = pcall(error, text, 0)
assert(e == text)
ok, e = pcall(function() local t, k = {}, {} return t.x[k] end)
assert(e:find("with key 'table'", 1, true), e)`, shellCall(t))
}

func TestErrorsAreBounded(t *testing.T) {
	for _, body := range []string{
		`error(("x"):rep(1e6))`, `error({ message = ("x"):rep(1e6) })`, `error(("x"):rep(1e6), 0)`, `assert(false, ("x"):rep(1e6))`,
		`local function f(n) if n > 0 then return 1 + f(n - 1) end error("x") end f(150)`,
	} {
		_, out := within(t, luabind.Limits{}, body)
		if out.Err == nil || len(out.Err.Message) > 5000 || len(out.Err.Traceback) > 9000 {
			t.Errorf("%s: %.300v", body, out.Err)
		}
	}
}

func TestTheLogOfARunIsBounded(t *testing.T) {
	var log logBook
	s := load(t, `on("stop", function(ev) local s = ("x"):rep(4000) for i = 1, 1000 do print(s) end end)`, luabind.Environment{Logger: log.logger()})
	calls(t, s, 0, sample(t, hooks.Stop))
	told := strings.Count(log.String(), "this run has written 1 MiB to the log; the rest is left out")
	if log.Len() < 900<<10 || log.Len() > 1200<<10 || told != 1 {
		t.Errorf("it wrote %d bytes and told %d times of the rest", log.Len(), told)
	}
}

// A result is the engine's own: what becomes of it changes no event.
func TestResultsDontShareWithTheEvent(t *testing.T) {
	c := shellCall(t)
	before := c.Clone()
	s := load(t, `on("pre_tool_call", function(ev) return { data = { call = ev.tool_call, all = ev } } end)`, luabind.Environment{})
	data := calls(t, s, 0, c).Data
	data["call"].(map[string]any)["input"].(map[string]any)["command"] = "rm"
	all := data["all"].(map[string]any)["tool_call"].(map[string]any)
	all["input"].(map[string]any)["command"] = "rm"
	equal(t, "the event", c, before)
}

// Loading has a part of a run's time only: the first event pays for both.
func TestLoadingHasHalfTheTime(t *testing.T) {
	var left time.Duration
	module := luabind.Module{Name: "clock", Functions: []luabind.Function{{Name: "left", Go: func(L *lua.LState) int {
		deadline, _ := L.Context().Deadline()
		left = time.Until(deadline)
		return 0
	}}}}
	s := load(t, `clock.left() on("stop", clock.left)`, luabind.Environment{Modules: []luabind.Module{module}, Limits: luabind.Limits{Timeout: time.Hour}})
	if left > 30*time.Minute {
		t.Errorf("loading has %s of an hour", left)
	}
	calls(t, s, 0, sample(t, hooks.Stop))
	if left < 30*time.Minute {
		t.Errorf("a run has %s of an hour", left)
	}
}

// A goroutine and its timer cost more than the instruction that asks for them.
func TestCallsThatMayBlockAreCharged(t *testing.T) {
	s := waits(t, `for i = 1, 100 do waiting.f() end`, nil, func(context.Context) string { return "" })
	if out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{}); out.Err != nil || out.Instructions < 10_000 {
		t.Errorf("100 of them cost %d, %v", out.Instructions, out.Err)
	}
}

// Objects that lie side by side have names that don't: no name is an address, not even
// a shifted one.
func TestNamesOfObjectsAreNoAddresses(t *testing.T) {
	out, p := run(t, `for i = 1, 300 do local o = i % 2 == 0 and {} or function() return i end probe.keep(tostring(o)) end`, sample(t, hooks.Stop))
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	begin := map[string]int{}
	for _, name := range p.kept {
		_, number, _ := strings.Cut(name.(string), "0x")
		begin[number[:2]]++
	}
	if len(begin) < 100 {
		t.Errorf("of 300 names the first two digits are only %v", begin)
	}
}
