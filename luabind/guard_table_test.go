package luabind_test

import (
	"strings"
	"testing"
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
