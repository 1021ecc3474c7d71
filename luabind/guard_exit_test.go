package luabind_test

import (
	"fmt"
	"testing"
)

// after uses the registers of what has gone out of scope, then asks the closure.
const after = ` local p, q, r, s, t, u, v, w = "p", "q", "r", "s", "t", "u", "v", "w" return f()`

// A closure keeps the variable that it was made with, however its block was left.
func TestVariablesEndWithTheirBlock(t *testing.T) {
	for body, want := range map[string]string{
		`local f while 1 do local x = "kept" f = function() return x end if x then break end end` + after:                                                                                                                "kept",
		`local f while 1 do if true then local x = "kept" f = function() return x end break end end` + after:                                                                                                             "kept",
		`local f while "yes" do do local x = "kept" f = function() return x end break end end` + after:                                                                                                                   "kept",
		`local f while not false do local x = "kept" f = function() return x end break end` + after:                                                                                                                      "kept",
		`local f while not nil do local x = "kept" f = function() return x end if x then break end end` + after:                                                                                                          "kept",
		`local f local c = 1 while true and c do local x = "kept" f = function() return x end break end` + after:                                                                                                         "kept",
		`local f local c while nil or not c do local x = "kept" f = function() return x end break end` + after:                                                                                                           "kept",
		`local f while 1 and 2 do local x = "kept" f = function() return x end break end` + after:                                                                                                                        "kept",
		`local f while true do if f == nil then local x = "kept" f = function() return x end break end end` + after:                                                                                                      "kept",
		`local f while true do do local x = "kept" f = function() return x end break end end` + after:                                                                                                                    "kept",
		`local f for i = 1, 3 do if i == 2 then local x = "kept" .. i f = function() return x end break end end` + after:                                                                                                 "kept2",
		`local f for i = 1, 3 do do do local x = "kept" .. i f = function() return x end break end end end` + after:                                                                                                      "kept1",
		`local f for _, i in ipairs{ 1, 2 } do if i == 2 then local x = "kept" .. i f = function() return x end break end end` + after:                                                                                   "kept2",
		`local f for _, i in ipairs{ 1, 2 } do if i == 2 then f = function() return i end do break end end end` + after:                                                                                                  "2",
		`local f repeat if true then local x = "kept" f = function() return x end break end until false` + after:                                                                                                         "kept",
		`local f repeat local y = 1 if y then local x = "kept" f = function() return x end break end until y` + after:                                                                                                    "kept",
		`local f repeat local x = "kept" f = function() return x end until x` + after:                                                                                                                                    "kept",
		`local f repeat local x = "kept" until (function() f = function() return x end return true end)()` + after:                                                                                                       "kept",
		`local f while true do local a if not a then local b = 1 if b then local x = "kept" f = function() return x end break end end end` + after:                                                                       "kept",
		`local f while true do for i = 1, 2 do local x = "kept" .. i f = function() return x end if i == 2 then break end end break end` + after:                                                                         "kept2",
		`local f local c = 0 while c < 3 do c = c + 1 if c == 2 then else local x = "kept" .. c f = function() return x end if c == 3 then break end end end` + after:                                                    "kept3",
		`local f while true do if nil then elseif true then local function x() return "kept" end f = function() return x() end break end end` + after:                                                                    "kept",
		`local f do while true do if true then local x = "kept" f = function() return x end break end end end` + after:                                                                                                   "kept",
		`local f local function g() while true do if true then local x = "kept" f = function() return x end break end end local a, b, c = 1, 2, 3 return f() end return g()`:                                             "kept",
		`local f local function g(...) for i = 1, select("#", ...) do if i > 0 then local x = (...) f = function() return x end break end end local a, b, c, d, e, h = 1, 2, 3, 4, 5, 6 return f() end return g("kept")`: "kept",
		`local t = {} function t:g() while true do if true then local x = self f = function() return x == self end break end end local a, b, c = 1, 2, 3 return f() end return t:g()`:                                    "true",
		`local fs = {} for i = 1, 3 do while true do if true then local x = i fs[i] = function() x = x + 10 return x end break end end end return fs[1](), fs[1](), fs[2](), fs[3]()`:                                    "11 21 12 13",
		`local fs, n = {}, 0 while n < 3 do n = n + 1 repeat if true then local x = n fs[n] = function() x = x + 10 return x end break end until true end return fs[1](), fs[2](), fs[3](), fs[1]()`:                     "11 12 13 21",
		`local f, g while true do if true then local x = 1 f = function() x = x + 1 return x end g = function() return x end break end end local a, b, c = 7, 8, 9 f() f() return g()`:                                   "3",
		`local co = coroutine.wrap(function() local f while true do if true then local x = "kept" f = function() return x end break end end local a, b, c, d = 1, 2, 3, 4 coroutine.yield(f()) end) return co()`:         "kept",
		`local f pcall(function() while true do if true then local x = "kept" f = function() return x end break end end local a, b, c, d = 1, 2, 3, 4 error("x") end)` + after:                                           "kept",
		// goto, out of blocks and back
		`local f while true do if true then local x = "kept" f = function() return x end goto out end end ::out::` + ` do` + after + ` end`:                                                   "kept",
		`local fs, n = {}, 0 ::again:: n = n + 1 local x = n fs[n] = function() x = x + 10 return x end if n < 3 then goto again end return fs[1](), fs[2](), fs[3](), fs[1]()`:               "11 12 13 21",
		`local f do local a do local b end end do local c do local x = "kept" f = function() return x end goto out end end ::out::` + ` do` + after + ` end`:                                  "kept",
		`local f do local a local b end do local c end local d = 1 local function up() d = d + 1 end for i = 1, 3 do local e if i == 2 then goto continue end up() ::continue:: end return d`: "3",
		`do local a local b local c end local d = 1 do local e local function up() d = d + 1 end for i = 1, 3 do if i == 2 then goto continue end up() ::continue:: end up() end return d`:    "4",
		`local f for i = 1, 2 do local x = i ::top:: if f then break end f = function() x = x + 10 return x end goto top end` + after:                                                         "11",
		`local f while true do local x = "kept" ::top:: if f then do break end end f = function() return x end goto top end` + after:                                                          "kept",
		`local n = 0 for i = 1, 3 do local x = i local function up() x = x + 1 n = n + x end goto skip n = 100 ::skip:: up() up() end return n`:                                               "21",
		`local s = 0 for _, i in ipairs{ 1, 2, 3 } do local x = i local function up() x = x + 1 end goto skip ::skip:: up() s = s + x end return s`:                                           "9",
		`local s = 0 for i = 1, 3 do local x = i local function up() x = x + 1 end goto skip ::skip:: up() s = s + x end return s`:                                                            "9",
		`local t = {} function t:f(...) local x = 1 local function up() x = x + 1 end goto skip ::skip:: up() return x, arg.n end return t:f(7, 8)`:                                           "2 2",
		// a local's own function sees what the name meant before
		`local f = function() return "outer" end do local f = function() return f() .. "!" end return f() end`: "outer!",
		`local tostring = function(x) return "<" .. tostring(x) .. ">" end return tostring(1)`:                 "<1>",
		`local upper = function(s) return upper == nil end return upper()`:                                     "true",
		`local function fact(n) if n < 2 then return 1 end return n * fact(n - 1) end return fact(5)`:          "120",
		`local f = function(...) return arg.n, f == nil end return f(1, 2)`:                                    "2 true",
		`local x = 1 local x = function() return x end return x()`:                                             "1",
		`local f, x = function() return f == nil, x == nil end return f()`:                                     "true true",
	} {
		if got := inSandbox(body); got != want {
			t.Errorf("%s\n  gives %s, want %s", body, got, want)
		}
	}
}

// A backward jump that lands on a jump runs past the end in the stock compiler.
func TestChoicesBetweenConstantsAtTheBeginningOfALoop(t *testing.T) {
	for _, body := range []string{
		`local t, n = { x = 1 }, 0 for i = 1, 3 do for _ in pairs{ 1 } do if (nil or t).x then n = n + 1 end end end return n`,
		`local t, n = { x = 1 }, 0 for i = 1, 3 do for _ in pairs{ 1 } do if (nil or t) == t then n = n + 1 end end end return n`,
		`local f, n = function() return true end, 0 for i = 1, 3 do for _ in pairs{ 1 } do if (false or f)() then n = n + 1 end end end return n`,
		`local t, n = { x = 1 }, 0 while (nil or t).x and n < 3 do n = n + 1 end return n`,
		`local t, n = { x = 1 }, 0 repeat if #(nil or t) == 0 then n = n + 1 end until n == 3 return n`,
		`local t, n = { x = 1 }, 0 ::a:: if (nil or t).x and n < 3 then n = n + 1 goto a end return n`,
		`local t, n = { x = 1 }, 0 while true do (nil or t).y = n if n == 3 then break end n = n + 1 end return n`,
		`local t, n = { x = 1 }, 0 while (1 and 2 and t or nil).x and n < 3 do n = n + 1 end return n`,
		`local n = 0 while not (nil and n) and not not 1 and n < 3 do n = n + 1 end return n`,
		`local n = 0 while (false or "a" and 1) do if n == 3 then break end n = n + 1 end return n`,
	} {
		if got := inSandbox(body); got != "3" {
			t.Errorf("%s\n  gives %s, want 3", body, got)
		}
	}
	for body, want := range map[string]string{
		`local function two() return 1, 2 end return nil or two()`:                   "1",
		`local function two() return 1, 2 end return select("#", true and two())`:    "1",
		`local function f(...) return false or ... end return f(1, 2)`:               "1",
		`local function f(...) local t = { 1 and ... } return #t end return f(1, 2)`: "1",
		`local a = nil or "x" .. 1 return a`:                                         "x1",
		`return 1 and nil, nil and 1, false or nil, not 1, not nil, not "", 0 or 2`:  "nil nil nil false true false 0",
		`local t = {} (nil or t).x, (1 and t)["y"] = 1, 2 return t.x, t.y`:           "1 2",
		`local s = "x" return (false or s):upper(), (1 and "a" or s) .. "b"`:         "X ab",
		`while false do break end while nil do local x x() end return "end"`:         "end",
	} {
		if got := inSandbox(body); got != want {
			t.Errorf("%s\n  gives %s, want %s", body, got, want)
		}
	}
}

// The stock compiler puts the arguments over the iterator's function where that is itself what a
// call gives.
func TestIteratorsThatCallsGive(t *testing.T) {
	many := "local many = {" + series(300, func(i int) string { return fmt.Sprintf("%d, ", 1000+i) }) + "} "
	for body, want := range map[string]string{
		`local function g() return ipairs end local n = 0 for _, v in g()({ 1, 2, 3 }) do n = n + v end return n`:                          "6",
		`local function g(...) local n = 0 for _, v in (...)({ 1, 2, 3 }) do n = n + v end return n end return g(ipairs)`:                  "6",
		`local function g() return { each = ipairs } end local n = 0 for _, v in g().each({ 1, 2, 3 }) do n = n + v end return n`:          "6",
		`local function g() return "abc" end local s = "" for c in g():gmatch(".") do s = c .. s end return s`:                             "cba",
		`local a, b = "ab", "c" local s = "" for c in (a .. b):gmatch(".") do s = c .. s end return s`:                                     "cba",
		`local function g(...) local s = "" for c in (...):gmatch(".") do s = c .. s end return s end return g("abc")`:                     "cba",
		`local s = "" for c in ("abc"):upper():gmatch(".") do s = c .. s end return s`:                                                     "CBA",
		`local t = { f = function() return { g = ipairs } end } local n = 0 for _, v in t.f()["g"]({ 1, 2, 3 }) do n = n + v end return n`: "6",
		`local function g() return false end local n = 0 for _, v in (g() or ipairs)({ 1, 2, 3 }) do n = n + v end return n`:               "6",
		`local m = setmetatable({}, { __add = function() return function(_, i) if i < 3 then return i + 1 end end end }) local function g() return m end
		 local n = 0 for v in g() + g(), nil, 0 do n = n + v end return n`: "6",
		`local function g() return next, { 1, 2, 3 } end local n = 0 for _, v in g() do n = n + v end return n`:                                                                                  "6",
		`local function g() return ipairs end local f for _, v in g()({ 1, 2, 3 }) do if v == 2 then f = function() return v end break end end` + after:                                          "2",
		`local function g() return ipairs end local fs = {} for i, v in g()({ 1, 2 }) do local x = v fs[i] = function() x = x + 1 return x end goto c ::c:: fs[i]() end return fs[1](), fs[2]()`: "3 4",
	} {
		for _, before := range []string{"", many} {
			if got := inSandbox(before + body); got != want {
				t.Errorf("%.20s%s\n  gives %s, want %s", before, body, got, want)
			}
		}
	}
}
