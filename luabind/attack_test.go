package luabind_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// The stock compiler and VM get these wrong.
func TestConstructorsAsInLua(t *testing.T) {
	fifty := strings.Repeat("0, ", 49) + "50"
	for _, body := range []string{
		`local t = { "a", "b", cmd = ("x"):upper() } assert(#t == 2 and t[3] == nil and t.cmd == "X")`,
		`local t = { 1, n = select("#", 1, 2) } assert(#t == 1 and t.n == 2)`,
		`local t = (function(...) return { 1, x = ... } end)(7, 8) assert(#t == 1 and t.x == 7)`,
		`local y = "c" local t = { "a", x = "b" .. y } assert(#t == 1 and t.x == "bc")`,
		`local y = "c" local t = { "a", "b" .. y } assert(#t == 2 and t[2] == "bc")`,
		`local function k() return "k" end local function g() return 1, 2 end local t = { 1, [k()] = g() } assert(#t == 1 and t.k == 1)`,
		`local function f() return "x", "y" end local t = { ` + fifty + `, f() } assert(#t == 52 and t[50] == 50 and t[51] == "x" and t[52] == "y" and t[1] == 0)`,
		`local function f() return "x", "y" end local t = { ` + fifty + `, ` + fifty + `, f() } assert(#t == 102 and t[100] == 50 and t[102] == "y")`,
		`local function f() end local t = { ` + fifty + `, f() } assert(#t == 50 and t[50] == 50)`,
		`local function f(x) return x end local t = { ` + fifty + `, x = f(7), y = f(8) + 1 } assert(#t == 50 and t[50] == 50 and t.x == 7 and t.y == 9)`,
		`local function f(x) return x end local t = { ` + fifty + `, x = f(7), f(51), 52 } assert(#t == 52 and t[50] == 50 and t[51] == 51 and t.x == 7)`,
		`local function f() return "x", "y" end local t = { ` + strings.Repeat("0, ", 49) + `f(), x = 1 } assert(#t == 50 and t[50] == "x" and t.x == 1)`,
		`local function f() return "x", "y" end local t = { ` + strings.Repeat("0, ", 48) + `f(), f() } assert(#t == 50 and t[49] == "x" and t[50] == "x" or #t == 51)`,
		`local y = "c" local t = { ` + fifty + `, "b" .. y } assert(#t == 51 and t[51] == "bc" and t[1] == 0)`,
		`local function f(...) local a, b, c = 1, 2, 3 a = (...) return a, b, c end local a, b, c = f(9, 8, 7) assert(a == 9 and b == 2 and c == 3)`,
		`local function f(...) local a, b, c = 1, 2, 3 a = ((...)) return a, b, c end local a, b, c = f() assert(a == nil and b == 2 and c == 3)`,
		`local function f() for k in pairs{ 1 } do local x = true and 16 and #tostring(16) or 3 end return 1 end assert(f() == 1)`,
		`local function f() local n = 0 while n < 3 do n = n + 1 end for _ in pairs{ 1 } do local x = 1 and 2 and tostring(1) end return n end assert(f() == 3)`,
		`local function f() local n = 0 for _ in pairs{ 1, 2 } do n = (false or nil or 2) + n end return n end assert(f() == 4)`,
		`local function f() for i = 1, 2 do for _ in pairs{ 1, 2 } do return true and false or i end end end assert(f() == 1)`,
		`local s = "" local function say(x) s = s .. x end for i = 1, 2 do for _ in pairs{ 1, 2 } do say(not nil and "a" or "b") end end assert(s == "aaaa")`,
	} {
		passes(t, body, shellCall(t))
	}
}

func TestAResumeMayGiveLessThanIsAskedFor(t *testing.T) {
	for _, body := range []string{
		`local w = coroutine.wrap(function() local a = coroutine.yield(1) if a == nil then return type(a) end end) w() assert(w() == "nil")`,
		`local w = coroutine.wrap(function() local a, b, c = coroutine.yield() return a, type(b), c == nil end) w() local a, b, c = w(7) assert(a == 7 and b == "nil" and c)`,
		`local w = coroutine.wrap(function() return coroutine.yield() end) w() assert(select("#", w()) == 0)`,
		`local w = coroutine.wrap(function() local t = { coroutine.yield() } return #t, select("#", coroutine.yield()) end) w() w(1, 2) local a, b = w(1, nil, nil) assert(a == 2 and b == 3)`,
		`local w = coroutine.wrap(function() local x = (coroutine.yield()) return tostring(x) end) w() assert(w() == "nil")`,
	} {
		passes(t, body, shellCall(t))
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

// A deny that stands beside nonsense denies whatever on_failure says.
func TestADenyIsNotLost(t *testing.T) {
	for _, body := range []string{`return "reason", 42`, `return deny("x"), 42`, `return false, {oops=1}`, `return {block=true}, 42`} {
		out, _ := run(t, body, shellCall(t))
		if out.Err == nil || !out.Err.Denied {
			t.Errorf("%s: %+v", body, out.Err)
		}
	}
	out, _ := run(t, `return "reason", 42`, sample(t, hooks.Stop))
	if out.Err == nil || out.Err.Denied {
		t.Errorf("on stop, where text doesn't deny: %+v", out.Err)
	}
}

func TestAddressesStayHidden(t *testing.T) {
	object := &struct{ x [64]byte }{}
	prefix := fmt.Sprintf("%p", object)[:6] // where the heap is
	for _, body := range []string{
		`local t local _ = t[{}]`, `local t t[{}] = 1`, `local t t[print] = 1`, `return ev[{}]`, `return ev[print]`, `string[{}] = 1`, `return probe[{}]`,
		`return modify{ [{}] = 1 }`, `return { [print] = 1 }`, `return output{ 1, 2, [{}] = 1 }`, `error({})`, `error(print)`, `error(coroutine.create(function() end))`,
		`error(tostring({}))`, `error(("%s"):format(print))`,
	} {
		out, p := run(t, `local function f() `+body+` end local ok, e = pcall(f) probe.keep(tostring(e)) `+
			`ok, e = coroutine.resume(coroutine.create(f)) probe.keep(tostring(e)) `+body, shellCall(t))
		for _, text := range append(p.kept, out.Err.Error()) {
			if strings.Contains(text.(string), prefix) {
				t.Errorf("%s: %s", body, text)
			}
		}
	}
}
