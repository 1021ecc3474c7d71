package luabind_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// ordinary are bodies of a function that returns text: what they come to is the same
// in plain gopher-lua and in the sandbox.
var ordinary = []string{
	// joining
	`return "a" .. "b"`, `return "a" .. 1 .. 2.5 .. -3`, `return 1 .. 2`, `local a, b = "x", 7 return a .. b .. a`,
	`return 1e15 .. " " .. 1e100 .. " " .. 0.1 .. " " .. -0`, `local x = 3 return x .. "" .. x * 2`,
	`local function two() return "p", "q" end return "a" .. two() .. two()`, `local function two(...) return "a" .. ... end return two("x", "y")`,
	`local function f(...) local s = ... .. "!" return s end return f("x", "y")`,
	`local function two() return "p", "q" end local t = { "a" .. two() } return #t .. t[1]`,
	`local function two() return "p", "q" end return select("#", "a" .. two(), "b" .. (two()))`,
	`return ("a" .. "b") .. ("c" .. "d")`, `return ("x" .. 1):rep(2) .. #("a" .. "bc")`,
	`local s = "" for i = 1, 5 do s = s .. i .. "," end return s`,
	`local function f(s) s = s .. "x" s = (s .. "y") return s end return f("a")`,
	`local function f(a) a = a and (a .. "x") or a return a end return f("q")`,
	`local log = "" local function v(x) log = log .. x return x end local s = v("a") .. v("b") .. v("c") return log .. s`,
	`local mt = {} mt.__concat = function(a, b) return "<" .. (type(a) == "table" and "T" or a) .. "|" .. (type(b) == "table" and "T" or b) .. ">" end
	 local t = setmetatable({}, mt) return t .. "a" .. "b" .. 1, "a" .. t, "a" .. "b" .. t .. "c" .. "d", t .. t .. t, 1 .. t`,
	`local mt = { __concat = function(a, b) return 5 end } local t = setmetatable({}, mt) return ("a" .. t) + 1`,
	`local mt = { __concat = function(a, b) return setmetatable({}, getmetatable(a) or getmetatable(b)) end, __tostring = function() return "T" end }
	 return tostring(setmetatable({}, mt) .. "x" .. "y")`,
	`return #(("x"):rep(1000) .. ("y"):rep(2000) .. "z")`, `local a <`,
	`return ("a" .. "b" == "ab") and "yes" .. "!" or "no"`, `if "a" .. "b" < "a" .. "c" then return "less" end`,
	`return -("1" .. "0") + 1`, `return not ("a" .. "b")`, `for i = "1" + 0, 1 .. 0 + 0 do end return 1`,
	"return 'a' ..\n\n'b' ..\nnil", "return 'a' .. {}", "return {} .. 'a'", "local t = {} return 'a' .. t.x .. 'b'", "return 'a' .. true", "return 1 .. print",
	// stores
	`local t = {} for i = 1, 100 do t[i] = i * 2 end return #t .. " " .. t[100]`, `local t, k = {}, "x" t[k] = 1 t[k] = t[k] + 1 return t.x`,
	`local t = {} t[1.5] = "a" t[-1] = "b" t[true] = "c" t[t] = "d" return t[1.5] .. t[-1] .. t[true] .. t[t]`,
	`local t = {} t[100] = 1 t[#t + 1] = 2 return t[100], t[101]`, `local t = {} t["1"] = "s" t[1] = "n" local k = "1" t[k] = t[k] .. t[1] return t["1"]`,
	`local t = { 1, 2, 3 } for i = 1, 3 do t[i] = nil end return next(t) == nil`,
	`local log = "" local function v(x, y) log = log .. x return y end local t = {} v("a", t)[v("b", "k")] = v("c", 1) return log .. t.k`,
	`local function two() return 1, 2 end local t, k = {}, "k" t[k] = two() return t.k`, `local function f(...) local t, k = {}, "k" t[k] = ... return t.k end return f(7, 8)`,
	`local seen = "" local t = setmetatable({}, { __newindex = function(t, k, v) seen = seen .. k rawset(t, k, v) end }) local k = "a" t[k] = 1 t[k] = 2 return seen .. t.a`,
	`local inner = {} local t = setmetatable({}, { __newindex = inner }) local k = "a" t[k] = 1 return rawget(t, "a") == nil, inner.a`,
	`local t = setmetatable({ a = 1 }, { __newindex = function() error("no") end }) local k = "a" t[k] = 2 return t.a`,
	`local t = {} t[nil] = 1`, `local t, k = {} t[k] = 1`, `local t, k = {}, 0/0 t[k] = 1`, `local t = {} t[0/0] = 1`,
	`local t, k = nil, "x"` + "\n\n" + `t[k] = 1`, `local t, k = 5, 6 t[k] = 1`, `local t, k = {} , "k" t.x[k] = 1`,
	`local k = "x" local t = setmetatable({}, {}) getmetatable(t).__newindex = t t[k] = 1`,
	`local t = {} t.a = { b = {} } local i = "c" t.a.b[i] = 5 return t.a.b.c`, `local k = "g" .. "1" _G[k] = 4 return g1`,
	// several at once
	`local t = { "a", "b" } t[1], t[2] = t[2], t[1] return t[1] .. t[2]`, `x, y = 1, 2 x, y = y, x return x .. y`,
	`local t = {} t.x, t.y = 1, 2 return t.x .. t.y`, `local t = {} t.x, t.y, t.z = (function() return 1, 2, 3 end)() return t.x .. t.y .. t.z`,
	`local t, i = {}, 1 i, t[i] = i + 1, 20 return i, t[1], t[2]`, `local t, k = {}, "k" local a a, t[k] = 1 return a, t.k`,
	`local t, k, j = {}, "k", "j" t[k], t[j] = (function() return 1, 2, 3 end)() return t.k .. t.j`, `local t, k = {}, "k" local a t[k], a = 1, 2, 3 return t.k .. a`,
	`local t, k, j = {}, "k", "j" t[k], t[j] = 1 return t.k, t.j`, `local t, k, j = {}, "k", "j" t[k], t[j] = 1, 2, 3 return t.k, t.j`,
	`local log = "" local function v(x, y) log = log .. x return y end local t = {} v("a", t)[v("b", "k")], v("c", t)[v("d", "l")] = v("e", 1), v("f", 2) return log .. t.k .. t.l`,
	`local log = "" local t = setmetatable({}, { __newindex = function(t, k, v) log = log .. k .. v end }) local a, b = "a", "b" t[a], t[b] = 1, 2 return log`,
	`local t, k = {}, 70 t[k], t[k + 1] = 1, 2 return t[70] + t[71]`, `local function f(...) local t = {} local k = 1 t[k], t[k+1] = ... return t[1] .. t[2] end return f("a", "b", "c")`,
	`a, b, c = 1 return a, b, c`, `a, b = 1, 2, 3 return a, b`,
	// constructors
	`local k = "x" local t = { [k] = 1, [k .. "y"] = 2, 3, [1 + 1] = 4 } return t.x .. t.xy .. t[1] .. t[2]`, `local t = { [404] = "a", [500] = "b", [-7] = "c", [1.5] = "d" } return t[404] .. t[500] .. t[-7] .. t[1.5]`,
	`local function f(...) return { ... } end return #f(1, 2, 3) .. #f()`, `local function f(...) return { ..., "x" } end return #f(1, 2, 3)`, `local function f(...) return { (...) } end return #f(1, 2, 3)`,
	`local function three() return 1, nil, 3 end local t = { 0, three() } return t[4], select("#", unpack(t, 1, 4))`, `return #{ ("a b c"):find("b") }`, `return #{ (("a b c"):find("b")) }`,
	`local t = { n = 1, unpack({ 1, 2, 3 }) } return #t + t.n`, `return { [nil] = 1 }`, `local k return { [k] = 1 }`, `return { [0/0] = 1 }`, `local function two() return "k", 2 end local t = { [two()] = two() } return t.k`,
	`local t = { { { [1 + 0] = { 5 } } } } return t[1][1][1][1]`, `local t = { f = function(...) return ... end } return t.f(1, 2)`,
	// varying arguments
	`local function f(...) return arg.n .. arg[1] .. #arg end return f("a", "b")`, `local function f(...) local x = ... return arg == nil, x end return f(1)`, `local function f(a, ...) return arg[1], arg.n end return f(1, 2, 3)`,
	`local function f(...) return function() return arg.n end end return f(1, 2)()`, `local function f(...) local arg = 5 return arg end return f(1)`, `local function f(a, ...) return a end return f(1, 2)`,
	`local function f(a, ...) local function g(...) return arg.n end return g(1, 2, 3) .. a end return f("x")`, `return select("#", ...)`, `return (...)`, `local a, b = ... return a, b`, `arg = 3 return arg`,
	`local function f(...) return select("#", ...) end return f(nil, nil)`, `local f = function(...) for i = 1, arg.n do if arg[i] == nil then return i end end end return f(1, nil, 3)`,
	// what may be an event's name
	`local mt = { __eq = function() return true end } local a, b = { event = setmetatable({}, mt) }, setmetatable({}, mt) return tostring(a.event == b), tostring(a.event ~= b)`,
	`local x = { event = "click" } local t = setmetatable({}, { __index = function(_, k) return k .. "!" end }) return t[x.event]`, `local x = {} local t = { 1 } return tostring(t[x.event])`,
	`local x = { event = 5 } return ({ 1, 2, 3, 4, "five" })[x.event], tostring(x.event == 5), tostring(x.event ~= "5"), tostring(x.event == x), tostring(x.event == x.event)`,
	"local x, t = { event = 'a' }\n\nreturn t[x.event]", "local x, t = { event = 'stop' }, 5\n\nreturn t[x.event]", `local x = { event = "f" } local t = { f = 1 } return t[x.event]:m()`,
	`local x, t = { event = "stop" }, {} t[x.event] = 1 t[x.event], x.event = t[x.event] + 1, "z" return t.stop, x.event`, `local x = { event = "f" } function x.event() return 7 end return x.event()`,
	`local x, t = { event = "f" }, { f = function(...) return select("#", ...), 2 end } return t[x.event](1, 2, 3)`, `local x, t = { event = "f" }, { f = 1 } return (t[x.event]), t[x.event], #{ t[x.event] }`,
	`local x = { event = "stop" } local e = x.event e = e or "y" e = (e) return tostring(e == "stop" and e ~= "y" or e), tostring(e == "stops"), tostring(nil == e)`,
	`local x, t = { event = "stop" }, { stop = false, Stop = 1 } return tostring(t[x.event])`, `local x = { event = "sub" } return ("abc")[x.event]("xyz", 2)`,
	`local x, log = { event = "b" }, "" local function v(s, y) log = log .. s return y end local t = v("1", { b = 3 })[v("2", x).event] return log .. t .. tostring(v("3", x).event == v("4", "b")) .. log`,
	`local t = { event = "a" } local out = "" for _, event in ipairs({ t.event, "b" }) do out = out .. event .. tostring(event == t.event) end return out`,
	// the rest of the language
	`local s = "" for k, v in pairs({ 10, 20 }) do s = s .. k .. "=" .. v .. ";" end return s`, `local i = 0 while true do i = i + 1 if i > 5 then break end end return i`,
	`local i = 0 repeat local k = i .. "" i = i + 1 until k == "4" return i`, `local t = {} function t.a(x) return x .. "!" end function t:b(x) return self.a(x .. x) end return t:b("x")`,
	`for i = 1, 3 do local t = {} t[i] = i if i == 2 then goto done end end ::done:: return "end"`, `local s = "" for i = 1, 3 do for j = 1, 3 do if j == 2 then goto continue end s = s .. i .. j ::continue:: end end return s`,
	`local fs = {} for i = 1, 3 do fs[i] = function() i = i + 1 return i .. "" end end return fs[1]() .. fs[1]() .. fs[2]()`,
	`local n = 0 local function count() n = n + 1 return "c" .. n end return count() .. count()`, `return (function(a, ...) return a .. select("#", ...) end)("x", 1, 2)`,
	`local co = coroutine.wrap(function(a) local b = coroutine.yield(a .. "1") local t = {} t[b] = a .. b return t[b] end) return co("x") .. co("y")`,
	`local co = coroutine.wrap(function(a) return a .. "1" end) return co("x")`, `local ok, e = pcall(function() return "a" .. nil end) return ok`, `local f = function() return "a" .. "b", 2 end return f()`,
	`return type({}) .. type("") .. type(1)`, `local a; if not a then a = "x" .. 1 else a = "y" .. 2 end return a`, `return ("%s"):format("a" .. 1)`,
}

// plain runs a function body in gopher-lua itself.
func plain(body string) string {
	L := lua.NewState(lua.Options{CallStackSize: 200})
	defer L.Close()
	f, err := L.Load(strings.NewReader(body), "a.lua")
	if err != nil {
		return "doesn't compile"
	}
	L.Push(f)
	L.Push(lua.LString("first"))
	L.Push(lua.LString("second"))
	if err := L.PCall(2, lua.MultRet, nil); err != nil {
		message, _, _ := strings.Cut(err.Error(), "\nstack traceback:")
		return "error: " + message
	}
	var results []string
	for i := 1; i <= L.GetTop(); i++ {
		results = append(results, L.ToStringMeta(L.Get(i)).String())
	}
	return strings.Join(results, " ")
}

func TestRewritingKeepsWhatScriptsMean(t *testing.T) {
	for _, body := range ordinary {
		if got, want := inSandbox(body), plain(body); got != want {
			t.Errorf("%s\n  gives  %s\n  plain  %s", body, got, want)
		}
	}
}

// inSandbox runs a body as the chunk of a library, whose results count.
func inSandbox(body string) string {
	return runSandboxed(body, luabind.Limits{})
}

func runSandboxed(body string, limits luabind.Limits) string {
	p, err := compile.Script("a.lua", body)
	if err != nil {
		return "doesn't compile"
	}
	var results []string
	program, err := compile.Script("main.lua", `probe.run()`)
	if err != nil {
		return err.Error()
	}
	module := luabind.Module{Name: "probe", Functions: []luabind.Function{{Name: "run", Go: func(L *lua.LState) int {
		top := L.GetTop()
		L.Push(luabind.FunctionOf(L, p, lua.LString("first"), lua.LString("second")))
		L.Call(0, lua.MultRet)
		for i := top + 1; i <= L.GetTop(); i++ {
			results = append(results, L.ToStringMeta(L.Get(i)).String())
		}
		return 0
	}}}}
	_, err = luabind.NewState(context.Background(), program, luabind.Environment{
		Modules: []luabind.Module{module}, Limits: limits, Libraries: map[string]*luabind.Library{"a": {Program: p}},
	})
	if err != nil {
		e := hooks.AsError(err, "")
		if e.Kind == hooks.KindLimit {
			return "limit"
		}
		message := strings.TrimPrefix(e.Message, "loading: ")
		if strings.HasPrefix(e.Source, "a.lua:") {
			message = e.Source + ": " + message
		}
		return "error: " + message
	}
	return strings.Join(results, " ")
}

// right are bodies that gopher-lua itself translates wrongly.
func TestAssignmentsReadBeforeTheyWrite(t *testing.T) {
	for body, want := range map[string]string{
		`local a, b = 1, 2; a, b = b, a return a, b`:                                                                       "2 1",
		`local a, b, c = 1, 2, 3; a, b, c = c, a, b return a, b, c`:                                                        "3 1 2",
		`local a, b = 1, 2; a, b = b + 1, a + 1 return a, b`:                                                               "3 2",
		`local a, b = 1, 2; a, x = b, a return a, x`:                                                                       "2 1",
		`local a = 1 local b; a, b = not a, a return a, b`:                                                                 "false 1",
		`local a = 1 local function f() return a end local b; a, b = 2, f() return a, b`:                                   "2 1",
		`local a, no = 1, function() return false end a = no() and a return a`:                                             "false",
		`local a, t = 1, {} a = t.x and a return a`:                                                                        "nil",
		`local a, no = 1, function() return false end a = no() or no() and a return a`:                                     "false",
		`local a, no = 1, function() return false end a = no() or a return a`:                                              "1",
		`local a, t = 1, { x = 2 } a = t.x and (t.y or a) return a`:                                                        "1",
		`local a, t = 1, {} a = t.x and (t.y or a) return a`:                                                               "nil",
		`local a, no = 1, function() return false end a = no() and 5 return a`:                                             "false",
		`local a, no = 1, function() return false end a = no() and no return a`:                                            "false",
		`local a, t = 1, {} a = t.x and t.y return a`:                                                                      "nil",
		`local a, t = 1, { x = 2 } a = t.x and t.y and 7 return a`:                                                         "nil",
		`local a, t = 1, { x = 2 } a = t.x and not t.x and 7 return a`:                                                     "false",
		`local a, t = 1, {} a = t.x and t.y == 3 return a`:                                                                 "nil",
		`local a, t = 1, {} a = t.x and { 1 } return a`:                                                                    "nil",
		`local a, t = 1, {} a = t.x and function() end return a`:                                                           "nil",
		`local a, t = 1, {} a = t.x and t:y() return a`:                                                                    "nil",
		`local a, t = 1, {} a = t.x and a .. "x" return a`:                                                                 "nil",
		`local function f(t, a) a = t.x and t.y return a end return f({}, 1)`:                                              "nil",
		`local function f(t, a) a = not t and t.y return a end return f({}, 1)`:                                            "false",
		`local a, t = 1, {} local function f() a = t.x and 5 end f() return a`:                                             "nil",
		`g = 1 local t = {} g = t.x and 5 return g`:                                                                        "nil",
		`local a, t = 1, {} a = (t.x and 5) or (t.y and 6) return a`:                                                       "nil",
		`local a, t = 1, { x = false } a = t.x and 5 or t.x return a`:                                                      "false",
		`local a, t = 1, { x = false } local b a, b = t.x and 5, t.x and 6 return a, b`:                                    "false false",
		`local a, x, y = 1, 5, 6; a = (x or y) and a return a`:                                                             "1",
		`local a, x, y = 1, 5, 6; a = (x or y) and a or 9 return a`:                                                        "1",
		`local a, x, y = 1, 5, 6; a = ((x or y) and a) and a + 1 return a`:                                                 "2",
		`local function f(a) a = (string.upper(a)) return a end return f("x")`:                                             "X",
		`local function g(a) return a .. "!" end local function f(a) local b a, b = g(a), 1 return a, b end return f("x")`: "x! 1",
		`local function f(a) local b a, b = a .. "!", a .. "?" return a .. b end return f("x")`:                            "x!x?",
		`local function g(a) return a .. "!" end local function f(a) a = g(a), 1 return a end return f("x")`:               "x!",
		`local t, u = {}, {} t.x, t = 1, u return u.x`:                                                                     "nil",
		`local t, u, k = {}, {}, "x" t[k], t = 1, u return u.x`:                                                            "nil",
		`local t = {} ;("").x = 5 return t.x`:                                                                              "error: a.lua:1: attempt to index a non-table object(string) with key 'x'",
		`local t = {} ;(1 + 2 * -3).x = 5 return t.x`:                                                                      "error: a.lua:1: attempt to index a non-table object(number) with key 'x'",
		`local t, a = {} ;("").x, a = 1, 2 return t.x`:                                                                     "error: a.lua:1: attempt to index a non-table object(string) with key 'x'",
	} {
		if got := inSandbox(body); got != want {
			t.Errorf("%s\n  gives %s, want %s", body, got, want)
		}
	}
}

func TestErrorsOfRewrittenCodeSayWhere(t *testing.T) {
	tests := []struct{ body, want string }{
		{"\nlocal x =\n nil .. 'a'", ":3: cannot perform concat operation between nil and string"},
		{"\nlocal x = 'a' ..\n 'b' ..\n nil", ":2: cannot perform concat operation between string and nil"},
		{"\nreturn nil .. 'a'", ":2: cannot perform concat"},
		{"local t, k = {}\n\nt[k] = 1", ":3: table index is nil"},
		{"local t, k = {}\n\nt[k] =\n\n1", ":3: table index is nil"},
		{"local t, k = {}\nt[1],\nt[k] = 1, 2", ":2: table index is nil"},
		{"local t, k = {}\nlocal a\na,\nt[k] = 1, 2", ":4: table index is nil"},
		{"local t, k = nil, 'x'\nt[k] = 1", ":2: attempt to index a non-table object(nil) with key 'x'"},
		{"local t\nt[('x'):rep(1e5)] = 1", "xxx...'"},
		{"local k\nlocal t = {\n1,\n[k] = 2 }", ":2: table index is nil"},
		{"local function f()\n local s = 'a' .. nil\n end\nf()", ":2: cannot perform"},
		{"for i = 1, 2 do\n local t = nil\n t[i],\n t[i + 1] = 1, 2\nend", ":3: attempt to index a non-table object(nil)"},
		{"local t = setmetatable({}, { __newindex = function(t, k)\n error('no ' .. k) end })\nlocal k = 'z'\nt[k] = 1", ":2: no z"},
	}
	for _, tt := range tests {
		e := loadError(t, tt.body, luabind.Environment{})
		wantError(t, e, hooks.KindLoad, tt.want)
	}
	s := load(t, "local name = 'x' ..\n'y'\n\non('stop', {\n name = 'a' .. name },\nfunction() end)", luabind.Environment{})
	equal(t, "the registration's source", s.Registrations()[0].Source, file+":4")
}

func TestScriptsCantReachTheGuards(t *testing.T) {
	passes(t, `
local seen, count = {}, 0
local function walk(v, path)
  if type(v) == "function" then assert(not tostring(v):find("(", 1, true)) end
  if type(v) ~= "table" or seen[v] then return end
  seen[v] = true
  for k, w in pairs(v) do
    count = count + 1
    assert(not tostring(k):find("^%("), path .. tostring(k))
    walk(w, path .. "." .. tostring(k))
  end
end
walk(_G, "")
for _, name in ipairs { "concat", "store", "stores", "key", "values", "arg", "arguments" } do
  assert(rawget(_G, "(" .. name .. ")") == nil and _G["(" .. name .. ")"] == nil)
  _G["(" .. name .. ")"] = function() error("reached") end
end
local k, t = "a" .. 1, {}
t[k], t[k .. 2] = 1, 2
assert(t.a1 == 1 and t.a12 == 2 and #{ unpack({ 1, 2 }) } == 2)
assert(getfenv == nil and setfenv == nil and debug == nil)
local ok, e = pcall(function() return "a" .. nil end)
assert(not e:find("(concat)", 1, true), e)
local co = coroutine.wrap(function() return "a" .. nil end)
assert(not pcall(co))`, shellCall(t))
}

func TestOneInstructionCantTakeAllMemory(t *testing.T) {
	for name, body := range map[string]string{
		"doubling":                  `local s = "x" for i = 1, 40 do s = s .. s end`,
		"doubling, several":         `local s = "x" for i = 1, 40 do s = s .. s .. s .. s end`,
		"doubling, in a function":   `local function d(s) return s .. s end local s = "x" while true do s = d(s) end`,
		"doubling, with a number":   `local s = 1 for i = 1, 40 do s = s .. s .. 1 end`,
		"doubling, by __concat":     `local t = setmetatable({}, { __concat = function(a, b) return b .. b end }) local s = "x" for i = 1, 40 do s = t .. s end`,
		"doubling, by pcall":        `local s = "x" while true do pcall(function() s = s .. s end) end`,
		"doubling, in a coroutine":  `coroutine.wrap(function() local s = "x" while true do s = s .. s end end)()`,
		"a far key":                 `local t = {} local i = 6e7 t[i] = 1`,
		"a far key, constant":       `local t = {} t[6e7] = 1`,
		"the farthest key":          `local t = {} t[67108863] = 1`,
		"a far key, as hexadecimal": `local t = {} t[0x3ffffff] = 1`,
		"a far key, several":        `local t, u = {}, {} t[6e7], u[6e7] = 1, 2`,
		"a far key, with a name":    `local t, u = {} t[6e7], u = 1, 2`,
		"a far key, as a field":     `local t = { [6e7] = 1 }`,
		"a far key, computed":       `local t = { [6e7 + 1] = 1 }`,
		"a far key, by __newindex":  `local u = {} local t = setmetatable({}, { __newindex = u }) t[6e7] = 1`,
		"far keys, many tables":     `for i = 1, 1e6 do local t = {} t[10000] = 1 end`,
		"fields, many tables":       `for i = 1, 1e6 do local t = { [1] = 0, [10000] = 1 } end`,
		"values":                    `local keep = {} while true do keep[#keep + 1] = { unpack({}, 1, 7000) } end`,
		"dots":                      `local function f(...) return { ... } end local keep = {} while true do keep[#keep + 1] = f(unpack({}, 1, 7000)) end`,
		"arg":                       `local function f(...) return arg end local keep = {} while true do keep[#keep + 1] = f(unpack({}, 1, 7000)) end`,
	} {
		t.Run(name, func(t *testing.T) {
			e := loadError(t, body, luabind.Environment{Limits: luabind.Limits{Memory: 1 << 20}}) // reached before anybody looks at the heap
			wantError(t, e, hooks.KindLimit, "memory")
			if e.Limit != hooks.LimitMemory || strings.Contains(e.Message, "the heap grew") {
				t.Errorf("the limit is %q: %s", e.Limit, e.Message)
			}
		})
	}
}

func TestWhatCostsNothingIsFree(t *testing.T) {
	for _, body := range []string{
		`local t = {} t[6e7] = nil`, `local t = {} local i = 6e7 t[i] = nil`, `local t = {} t[1e15] = 1 t[2^40] = 2`,
		`local function f(...) return 1 end for i = 1, 2e4 do f(i, i, i) end`, `local t = {} for i = 1, 1000 do t[i % 10] = i end`,
		`local s for i = 1, 3e4 do s = "status: " .. "done" end`,
	} {
		load(t, body, luabind.Environment{Limits: luabind.Limits{Memory: 1 << 20}})
	}
}

func TestDotsOfTheChunkAreItsOptions(t *testing.T) {
	s := load(t, `local with, none = ...
assert(none == nil and select("#", ...) == 1 and arg == nil)
local level = (...).level
arg = "global"
assert(_G.arg == "global")
on("stop", function() return message(with.level .. level .. arg) end)`, luabind.Environment{With: map[string]any{"level": "high"}})
	equal(t, "the answer", calls(t, s, 0, sample(t, hooks.Stop)).SystemMessage, "highhighglobal")
}

func TestLocalsAreAsManyAsBefore(t *testing.T) {
	declare := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "local a%d = %d\n", i, i)
		}
		return b.String()
	}
	load(t, declare(190)+`local s = a1 .. a2 local t = {} t[s] = a3 assert(t["12"] == 3)`, luabind.Environment{})
	load(t, "local function f()\n"+declare(190)+`local s = a1 .. a2 return s end assert(f() == "12")`, luabind.Environment{})
}
