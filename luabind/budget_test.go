package luabind_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func withProbe() luabind.Environment {
	return luabind.Environment{Modules: []luabind.Module{(&probe{}).module()}}
}

// stopped checks that a run hit a limit and left a broken state.
func stopped(t *testing.T, s *luabind.State, out luabind.Outcome, limit hooks.Limit, want ...string) {
	t.Helper()
	wantError(t, out.Err, hooks.KindLimit, want...)
	if out.Err.Limit != limit {
		t.Errorf("the limit is %q, want %q", out.Err.Limit, limit)
	}
	if out.Result != nil || !s.Broken() {
		t.Errorf("result %v, broken %v", out.Result, s.Broken())
	}
}

func TestInstructionsAreCountedExactly(t *testing.T) {
	const source = `on("stop", function(ev) local n = 0 for i = 1, 1000 do n = n + i end return context(tostring(n)) end)`
	c := sample(t, hooks.Stop)
	count := func(limit int64) (luabind.Outcome, *luabind.State) {
		s := load(t, source, luabind.Environment{})
		return s.Call(context.Background(), 0, c, luabind.Limits{Instructions: limit}), s
	}
	free, _ := count(0)
	if free.Instructions < 2000 || free.Instructions > 3000 {
		t.Fatalf("%d instructions", free.Instructions)
	}
	exact, s := count(free.Instructions)
	if exact.Err != nil || exact.Instructions != free.Instructions || exact.Result.NewContext != "500500" || s.Broken() {
		t.Errorf("with as many as it needs: %+v", exact)
	}
	short, s := count(free.Instructions - 1)
	stopped(t, s, short, hooks.LimitInstructions, file+":1", "instructions (raise limits.instructions to give it more); is there a loop that doesn't end?")
	if short.Instructions != free.Instructions {
		t.Errorf("it ran %d instructions, want %d", short.Instructions, free.Instructions)
	}
}

// Each of these tries to live on after its budget is spent.
var immortal = map[string]string{
	"loop":              `while true do end`,
	"goto":              `::a:: goto a`,
	"pcall":             `while true do pcall(function() while true do end end) end`,
	"pcall and return":  `pcall(function() while true do end end) return deny("x")`,
	"pcall of pcall":    `pcall(pcall, pcall, function() while true do end end) return context("x")`,
	"xpcall":            `while true do xpcall(function() while true do end end, function() while true do end end) end`,
	"create":            `local co = coroutine.create(function() while true do end end) coroutine.resume(co) while true do coroutine.resume(co) end`,
	"create and return": `coroutine.resume(coroutine.create(function() while true do end end)) return context("x")`,
	"wrap":              `local f = coroutine.wrap(function() while true do coroutine.yield() end end) while true do f() end`,
	"nested":            `coroutine.wrap(function() coroutine.wrap(function() while true do end end)() end)()`,
	"__index":           `local t = setmetatable({}, { __index = function() while true do end end }) return t.x`,
	"__concat":          `local t = setmetatable({}, { __concat = function() while true do end end }) return t .. t`,
	"__tostring":        `print(setmetatable({}, { __tostring = function() while true do end end }))`,
	"__eq":              `local m = { __eq = function() while true do end end } return setmetatable({}, m) == setmetatable({}, m)`,
	"sort":              `table.sort({ 1, 2, 3 }, function(a, b) while true do end end)`,
	"gsub":              `("x"):gsub(".", function() while true do end end)`,
	"recursion":         `local n = 0 local function f() n = n + 1 if n < 50 then pcall(f) end while true do end end f()`,
	"iterator":          `for _ in function() return 1 end do end`,
}

func TestInstructionsAreAHardLimit(t *testing.T) {
	c := shellCall(t)
	for name, body := range immortal {
		t.Run(name, func(t *testing.T) {
			s := load(t, `on("pre_tool_call", function(ev) `+body+"\nend)", luabind.Environment{})
			out := s.Call(context.Background(), 0, c, luabind.Limits{Instructions: 20_000, Timeout: time.Minute})
			stopped(t, s, out, hooks.LimitInstructions, "it used up its 20,000 instructions")
		})
	}
}

func TestTimeIsAHardLimit(t *testing.T) {
	c := shellCall(t)
	for name, body := range immortal {
		t.Run(name, func(t *testing.T) {
			s := load(t, `on("pre_tool_call", function(ev) `+body+"\nend)", luabind.Environment{})
			out := s.Call(context.Background(), 0, c, luabind.Limits{Instructions: 1 << 50, Timeout: 3 * time.Millisecond})
			stopped(t, s, out, hooks.LimitTime, "it ran longer than its 3ms (raise its timeout, or limits.timeout, to give it more)")
		})
	}
}

func TestTheCallerMayGiveUp(t *testing.T) {
	s := load(t, `on("stop", function(ev) while true do pcall(function() while true do end end) end end)`, luabind.Environment{})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(3*time.Millisecond, cancel)
	out := s.Call(ctx, 0, sample(t, hooks.Stop), luabind.Limits{Instructions: 1 << 50, Timeout: time.Minute})
	stopped(t, s, out, hooks.LimitTime, "the caller gave up: context canceled")
	if !errors.Is(out.Err, context.Canceled) {
		t.Errorf("%v is no context.Canceled", out.Err)
	}
}

func TestWaitingIsBounded(t *testing.T) {
	for _, body := range []string{`probe.wait()`, `pcall(probe.wait)`, `pcall(probe.wait) return context("x")`, `coroutine.wrap(function() probe.wait() end)()`, `probe.nap()`} {
		t.Run(body, func(t *testing.T) {
			s := load(t, `on("stop", function(ev) `+body+` end)`, withProbe())
			out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Timeout: 2 * time.Millisecond})
			stopped(t, s, out, hooks.LimitTime, "it ran longer than its 2ms")

			s = load(t, `on("stop", function(ev) `+body+` end)`, withProbe())
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Millisecond)
			defer cancel()
			out = s.Call(ctx, 0, sample(t, hooks.Stop), luabind.Limits{Timeout: time.Minute})
			stopped(t, s, out, hooks.LimitTime, "the caller gave up: context deadline exceeded")
		})
	}
}

func TestSpend(t *testing.T) {
	s := load(t, `on("stop", function(ev) probe.spend(tonumber(ev.reason)) end)`, withProbe())
	call := func(work string) luabind.Outcome {
		return s.Call(context.Background(), 0, event(t, hooks.Stop, `{"reason":"`+work+`"}`), luabind.Limits{Instructions: 10_000})
	}
	none := call("0")
	some := call("9000")
	if none.Err != nil || some.Err != nil || some.Instructions-none.Instructions != 9000 {
		t.Fatalf("%+v and %+v", none, some)
	}
	stopped(t, s, call("10000"), hooks.LimitInstructions, "it used up its 10,000 instructions")

	s = load(t, `on("stop", function(ev) for _ = 1, 10 do pcall(probe.spend, 10001) end return context("x") end)`, withProbe())
	stopped(t, s, s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Instructions: 10_000}), hooks.LimitInstructions)

	p := &probe{}
	s = load(t, `on("stop", function(ev) probe.work() end)`, luabind.Environment{Modules: []luabind.Module{p.module()}})
	stopped(t, s, s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Timeout: 3 * time.Millisecond}), hooks.LimitTime)
	if len(p.kept) > 0 {
		t.Error("it was not stopped at work")
	}
}

func TestStackLimits(t *testing.T) {
	for name, body := range map[string]string{
		"recursion":   `local function f() return 1 + f() end f()`,
		"many values": `local function f(...) return f(1, 2, 3, 4, 5, 6, 7, 8, ...) end return f()`,
		"metamethods": `local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return t.x`,
	} {
		t.Run(name, func(t *testing.T) {
			s := load(t, `on("stop", function(ev) `+body+` end)`, luabind.Environment{})
			out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{})
			stopped(t, s, out, hooks.LimitStack, file+":1: it recurses too deep (", " overflow)")
		})
	}
	s := load(t, `on("stop", function(ev) local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return context(tostring(f(150))) end)`, luabind.Environment{})
	equal(t, "150 calls", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, "150")
}

func TestLoadingIsLimited(t *testing.T) {
	limited := luabind.Environment{Limits: luabind.Limits{Instructions: 10_000, Timeout: time.Minute}}
	for name, source := range map[string]string{"loop": `while true do end`, "caught": `pcall(function() while true do end end)`} {
		e := loadError(t, source, limited)
		wantError(t, e, hooks.KindLimit, file, "loading: it used up its 10,000 instructions")
		equal(t, name, e.Limit, hooks.LimitInstructions)
	}
	e := loadError(t, `local function f() return 1 + f() end f()`, limited)
	wantError(t, e, hooks.KindLimit, "it recurses too deep")
	equal(t, "limit", e.Limit, hooks.LimitStack)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := luabind.NewState(ctx, compiled(t, file, `for i = 1, 1000 do end`), luabind.Environment{})
	wantError(t, hooks.AsError(err, ""), hooks.KindLimit, "loading: the caller gave up")
}

func TestARunHasABudgetOfItsOwn(t *testing.T) {
	s := load(t, `local co = coroutine.wrap(function() while true do for i = 1, 1000 do end coroutine.yield() end end) co()
on("stop", function(ev) co() end)`, luabind.Environment{})
	for range 100 { // coroutines of earlier runs are charged to the run that is on
		out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Instructions: 2000})
		if out.Err != nil || out.Instructions < 1000 {
			t.Fatalf("%+v", out)
		}
	}
}

func TestWithin(t *testing.T) {
	limits := func(n int64, d time.Duration) luabind.Limits { return luabind.Limits{Instructions: n, Timeout: d} }
	tests := []struct{ inner, outer, want luabind.Limits }{
		{limits(0, 0), limits(0, 0), limits(0, 0)},
		{limits(0, 0), limits(5, 6), limits(5, 6)},
		{limits(5, 6), limits(0, 0), limits(5, 6)},
		{limits(5, 6), limits(9, 3), limits(5, 3)},
		{limits(5, 6), limits(3, 9), limits(3, 6)},
		{limits(-1, -1), limits(3, 9), limits(3, 9)},
	}
	for _, tt := range tests {
		if got := tt.inner.Within(tt.outer); got != tt.want {
			t.Errorf("%v within %v is %v, want %v", tt.inner, tt.outer, got, tt.want)
		}
	}
	s := load(t, `on("stop", function(ev) while true do end end)`, luabind.Environment{Limits: limits(1000, 0)})
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), limits(5000, 0))
	stopped(t, s, out, hooks.LimitInstructions, "it used up its 1,000 instructions")
	s = load(t, `on("stop", function(ev) while true do end end)`, luabind.Environment{})
	out = s.Call(context.Background(), 0, sample(t, hooks.Stop), limits(0, time.Minute))
	stopped(t, s, out, hooks.LimitInstructions, "it used up its 5,000,000 instructions")
}

func TestTheCallersValuesAreSeen(t *testing.T) {
	s := load(t, `on("stop", function(ev) return context(probe.caller()) end)`, withProbe())
	out := s.Call(context.WithValue(context.Background(), callerKey{}, "trace-1"), 0, sample(t, hooks.Stop), luabind.Limits{})
	equal(t, "value", out.Result.NewContext, "trace-1")
}
