package luabind_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func TestProtectedCalls(t *testing.T) {
	for _, body := range []string{
		`local ok, a, b, c = pcall(function(...) return ... end, 1, nil, 3) assert(ok == true and a == 1 and b == nil and c == 3)`,
		`assert(select("#", pcall(function() end)) == 1)`,
		`local ok, e = pcall(error, "x") assert(ok == false and e == "x")`,
		`local ok, e = pcall(function() error("x") end) assert(not ok and e:match("^%.hooks/a%.lua:1: x$"), e)`,
		`local ok, e = pcall(function() error("x", 0) end) assert(e == "x")`,
		`local function check(v) if not v then error("bad value", 2) end end
local ok, e = pcall(function()
  check(nil)
end) assert(e:match("a%.lua:3: bad value$"), e)`,
		`local t = setmetatable({}, { __newindex = function(t, k) error("no " .. k, 2) end })
local ok, e = pcall(function()
  t["x" .. 1] = 1
end) assert(e:match("a%.lua:3: no x1$"), e)`,
		`local t = {} local ok, e = pcall(error, t) assert(e == t)`,
		`local ok, e = pcall(function() error({ code = 7 }) end) assert(e.code == 7)`,
		`local ok, e = pcall(function() error(nil) end) assert(ok == false and e == nil)`,
		`local ok, e = pcall(nil) assert(not ok and e:find("attempt to call", 1, true), e)`,
		`local callable = setmetatable({}, { __call = function(self, x) return x * 2 end }) local ok, v = pcall(callable, 21) assert(ok and v == 42)`,
		`local function deep(n) if n == 0 then error("bottom", 0) end local ok, e = pcall(deep, n - 1) error(e, 0) end
local ok, e = pcall(deep, 50) assert(e == "bottom")`,
		`for i = 1, 1000 do assert(not pcall(error, i)) end assert(pcall(pcall, error))`,
		// A script may call its own error what it likes.
		`local ok, e = pcall(error, "no stack overflow") assert(e == "no stack overflow")`,

		`local ok, e = xpcall(function() error("x", 0) end, function(m) return m .. "!" end) assert(ok == false and e == "x!")`,
		`assert(select("#", xpcall(function() return 1, 2, 3 end, print)) == 4)`,
		`local ok, e = xpcall(function() error("x", 0) end, function() error("y", 0) end) assert(ok == false and e == "y")`,
	} {
		passes(t, body, shellCall(t))
	}
}

// The VM forks a variable when an error is raised above a function that goes on; the
// counter of a rate limit would stand still.
func TestACaughtErrorLeavesVariablesWhole(t *testing.T) {
	for _, catch := range []string{
		`pcall(error, "x")`, `pcall(function() error("x") end)`, `xpcall(function() error("x") end, print)`, `pcall(string.rep)`,
		`pcall(function() local a = nil; return a.b end)`, `coroutine.resume(coroutine.create(function() error("x") end))`,
		`pcall(coroutine.wrap(function() error("x") end))`, `pcall(pcall, error)`, `pcall(require, "nothing")`,
	} {
		passes(t, `
local n, get = 0, nil
local function up() n = n + 1 end
get = function() return n end
`+catch+`
up()
assert(n == 1 and get() == 1, n .. " " .. get())
local inner = coroutine.wrap(function() `+catch+` up() n = n + 1 coroutine.yield() end)
inner()
assert(n == 3 and get() == 3, n .. " " .. get())`, shellCall(t))
	}
}

func TestStackOverflowsEndTheRun(t *testing.T) {
	for name, body := range map[string]string{
		"caught":              `local function f() return 1 + f() end pcall(f)`,
		"caught by xpcall":    `local function f() return 1 + f() end xpcall(f, function() end)`,
		"in a coroutine":      `coroutine.resume(coroutine.create(function() local function f() return 1 + f() end return f() end))`,
		"wrapped and caught":  `pcall(coroutine.wrap(function() local function f() return 1 + f() end return f() end))`,
		"pcall in pcall":      `local function f() pcall(f) end f()`,
		"metamethods":         `local t = setmetatable({}, {}) getmetatable(t).__index = function(s, k) return s[k .. "x"] end pcall(function() return t.x end)`,
		"a registry overflow": `local function f(...) return f(1, 2, 3, 4, 5, 6, 7, 8, ...) end pcall(f)`,
		"tostring":            `local t = setmetatable({}, { __tostring = function(s) return tostring(s) end }) pcall(tostring, t)`,
	} {
		t.Run(name, func(t *testing.T) {
			p := &probe{}
			s := load(t, `on("stop", function(ev) `+body+` probe.keep("lives on") return context("x") end)`, luabind.Environment{Modules: []luabind.Module{p.module()}})
			out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{})
			stopped(t, s, out, hooks.LimitStack, "it recurses too deep")
			equal(t, "kept", p.kept, []any(nil))
		})
	}
}

func TestOverflowsAreNotTalkedAway(t *testing.T) {
	for _, forged := range []string{
		`pcall(error, "stack overflow")`, `pcall(error, "a stack overflow", 0)`, `coroutine.resume(coroutine.create(function() error("stack overflow", 0) end))`, `pcall(assert, false, "stack overflow")`,
	} {
		s := load(t, `on("pre_tool_call", function(ev) `+forged+` local function f() return 1 + f() end pcall(f) return allow() end)`, luabind.Environment{})
		stopped(t, s, s.Call(context.Background(), 0, shellCall(t), luabind.Limits{}), hooks.LimitStack, "it recurses too deep")
	}
	passes(t, `
assert(not pcall(assert, false, "x stack overflow") and not pcall(error, "my stack overflow") and not pcall(coroutine.wrap(function() error("a registry overflow", 0) end)))
local ok, e = pcall(error, "x") assert(e == "x")`, shellCall(t))
}
