package luabind_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func TestWhatAScriptDoesNotGet(t *testing.T) {
	for _, name := range []string{
		"load", "loadstring", "dofile", "loadfile", "getfenv", "setfenv", "newproxy", "module", "collectgarbage", "_printregs",
		"io", "os", "debug", "package", "channel", "string.dump", "string.gfind", "table.foreach", "_G._G.io", "_LOADED",
	} {
		passes(t, `assert(`+name+` == nil)`, shellCall(t))
	}
}

// Whatever is added to a library must be added here: nothing gets in unseen.
func TestTheNamesThatAScriptGets(t *testing.T) {
	for library, names := range map[string]string{
		"string":    "byte char find format gmatch gsub len lower match rep reverse sub upper",
		"table":     "concat getn insert maxn remove sort",
		"math":      "abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max min mod modf pi pow rad random randomseed sin sinh sqrt tan tanh",
		"coroutine": "create resume running status wrap yield",
	} {
		passes(t, `local names = {} for k in pairs(`+library+`) do names[#names + 1] = k end table.sort(names)
assert(table.concat(names, " ") == "`+names+`", table.concat(names, " "))`, shellCall(t))
	}
	passes(t, `for name in ("assert error getmetatable ipairs next pairs pcall rawequal rawget rawset select setmetatable tonumber tostring type unpack xpcall"):gmatch("%S+") do
  assert(type(_G[name]) == "function", name)
end`, shellCall(t))
}

func TestWhatAScriptGets(t *testing.T) {
	passes(t, `
assert(_VERSION and select("#", unpack({ 1, 2 })) == 2 and tonumber("7") == 7 and type(tostring(1)) == "string" and rawequal(1, 1))
assert(("x"):rep(3) == "xxx" and ("a,b"):find(",") == 2 and ("%d"):format(3) == "3" and ("Ab"):lower() == "ab" and #"abc" == 3)
assert(("a b"):gsub(" ", "_") == "a_b" and ("k=v"):match("=(.*)") == "v")
local seen = {} for w in ("a b"):gmatch("%a") do seen[#seen + 1] = w end assert(table.concat(seen, ",") == "a,b")
local t = { 3, 1, 2 } table.sort(t) table.insert(t, 4) assert(table.remove(t, 1) == 1 and table.concat(t) == "234" and table.maxn(t) == 3)
assert(math.floor(1.5) == 1 and math.huge > 1 and math.max(1, 2) == 2)
local co = coroutine.create(function(a) local b = coroutine.yield(a + 1) return b * 2 end)
assert(select(2, coroutine.resume(co, 1)) == 2 and select(2, coroutine.resume(co, 4)) == 8 and coroutine.status(co) == "dead")
local wrapped = coroutine.wrap(function() for i = 1, 2 do coroutine.yield(i) end end) assert(wrapped() == 1 and wrapped() == 2)
local keys = 0 for name, f in pairs(string) do keys = keys + 1 assert(string[name] == f) end assert(keys == 13)
assert(next(math) ~= nil and rawget(string, "len") == string.len and rawget(string, "nothing") == nil)
local weak = setmetatable({}, { __index = function(_, k) return k .. "!" end, __call = function(_, x) return x end })
assert(weak.a == "a!" and weak(2) == 2 and getmetatable(weak).__call)
assert(setmetatable(weak, nil) == weak and getmetatable(weak) == nil)
assert(rawset(weak, "k", 1) == weak and rawget(weak, "k") == 1)
local ok, e = xpcall(function() error("x", 0) end, function(m) return m .. "y" end) assert(not ok and e == "xy")`, shellCall(t))
}

func TestRandom(t *testing.T) {
	passes(t, `
for _ = 1, 100 do
  local f, d, b = math.random(), math.random(6), math.random(-2, 2)
  assert(f >= 0 and f < 1 and d >= 1 and d <= 6 and d % 1 == 0 and b >= -2 and b <= 2)
end
assert(not pcall(math.random, 0)) assert(not pcall(math.random, 2, 1)) assert(not pcall(math.random, -2^62, 2^62))
math.randomseed(1) local a = math.random(2^40) math.randomseed(1) assert(math.random(2^40) ~= a) -- a script can't choose the seed`, shellCall(t))
	const source = `on("stop", function() return context(tostring(math.random(2^40))) end)`
	a, b := load(t, source, luabind.Environment{}), load(t, source, luabind.Environment{})
	if x, y := calls(t, a, 0, sample(t, hooks.Stop)), calls(t, b, 0, sample(t, hooks.Stop)); x.NewContext == y.NewContext {
		t.Errorf("two states draw the same number %s", x.NewContext)
	}
}

// Each of these tries to change what all scripts and runs share.
func TestLibrariesCantBeChanged(t *testing.T) {
	tests := []struct{ body, want string }{
		{`string.upper = print`, "string is read-only (upper); keep what is yours in a local"},
		{`string.trim = print`, "string is read-only (trim)"},
		{`_G.string.upper = print`, "string is read-only (upper)"},
		{`probe.null = 1`, "probe is read-only (null)"},
		{`rawset(math, "floor", print)`, "math is read-only (floor)"},
		{`rawset(string, "x", 1)`, "string is read-only (x)"},
		{`table.insert(table, print)`, "table is read-only (table.insert)"},
		{`table.insert(string, 1, print)`, "string is read-only (table.insert)"},
		{`table.remove(string)`, "string is read-only (table.remove)"},
		{`table.sort(string)`, "string is read-only (table.sort)"},
		{`local _, t = pairs(string) t.upper = print`, "string is read-only (upper)"},
		{`local _, t = pairs(string) rawset(t, "upper", print)`, "string is read-only (upper)"},
		{`setmetatable(string, {})`, "cannot change a protected metatable"},
		{`setmetatable(string, nil)`, "cannot change a protected metatable"},
		{`setmetatable(_G, { __index = function() end })`, "cannot change a protected metatable"},
		{`setmetatable(ev.tool_call.paths, {})`, "cannot change a protected metatable"},
		{`setmetatable("", {})`, "bad argument #1 to 'setmetatable' (table expected, got string)"},
		{`setmetatable(1, {})`, "bad argument #1 to 'setmetatable' (table expected, got number)"},
		{`setmetatable(print, {})`, "bad argument #1 to 'setmetatable' (table expected, got function)"},
		{`setmetatable({}, 1)`, "bad argument #2 to 'setmetatable'"},
		{`getmetatable("").__index.upper = print`, "attempt to index a non-table object(boolean)"},
		{`local s = "" s.upper = print`, "s is a string, which has no \"upper\""},
		{`rawset({}, nil, 1)`, "table index is nil"},
	}
	for _, tt := range tests {
		t.Run(tt.body, func(t *testing.T) {
			source := "on('pre_tool_call', function(ev)\n" + tt.body + "\nend)" + `
on("stop", function()
  assert(("x"):upper() == "X" and string.upper("x") == "X" and math.floor(1.5) == 1 and #string == 0 and string.trim == nil and string.x == nil)
  assert(getmetatable("") == false and getmetatable(string) == false and getmetatable(_G) == false)
end)`
			s := load(t, source, withProbe())
			out := s.Call(context.Background(), 0, shellCall(t), luabind.Limits{})
			wantError(t, out.Err, hooks.KindScript, tt.want)
			calls(t, s, 1, sample(t, hooks.Stop)) // whatever it tried
		})
	}
}

func TestGlobalsOfOneRunAreGoneInTheNext(t *testing.T) {
	s := load(t, `
mine, count, gone, list = "loaded", 0, "x", {}
nan = 0/0
local kept = 0
on("stop", function(ev)
  assert(mine == "loaded" and gone == "x" and count == 0 and added == nil and _G[1] == nil and nan ~= nan)
  assert(type(string) == "table" and type(deny) == "function" and type(pairs) == "function" and type(_G) == "table" and rawget(_G, "string") == nil)
  mine, gone, added, count = "changed", nil, true, count + 1
  _G.more, _G["mo" .. "st"] = 1, 2
  rawset(_G, "raw", 1)
  table.insert(_G, "x")
  string, deny, pairs, assert, _G = nil, function() end, 1, function() end, nil
  function later() end
  kept = kept + 1
  list[#list + 1] = kept
  return context(kept .. "," .. #list)
end)
on("pre_prompt", function()
  assert(raw == nil and more == nil and most == nil and later == nil)
  local names = {} for k in pairs(_G) do names[#names + 1] = k end
  table.sort(names)
  assert(table.concat(names, " ") == "count gone list mine nan", table.concat(names, " "))
end)`, luabind.Environment{})
	for _, want := range []string{"1,1", "2,2", "3,3"} {
		equal(t, "locals stay", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, want)
		calls(t, s, 1, sample(t, hooks.PrePrompt))
	}
}

func TestAScriptMayShadowWhatIsThere(t *testing.T) {
	s := load(t, `
function print() end
string = { own = function() return "own" end }
on("stop", function() return context(string.own() .. ("x"):upper()) end)`, luabind.Environment{})
	for range 2 {
		equal(t, "its own string", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, "ownX")
	}
}

func TestAChangedGlobalIsRestored(t *testing.T) {
	s := load(t, `limit = 1 on("stop", function() limit = limit + 1 return context(tostring(limit)) end)`, luabind.Environment{})
	for range 2 {
		equal(t, "limit", calls(t, s, 0, sample(t, hooks.Stop)).NewContext, "2")
	}
}

func TestGlobalsAreRestoredAfterAnError(t *testing.T) {
	s := load(t, `on("stop", function() leak = 1 error("x") end) on("pre_prompt", function() assert(leak == nil) end)`, luabind.Environment{})
	if out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{}); out.Err == nil {
		t.Fatal("no error")
	}
	calls(t, s, 1, sample(t, hooks.PrePrompt))
}

func TestPanicsOfLibraryFunctionsAreErrors(t *testing.T) {
	out, _ := run(t, "\nprobe.panic()", shellCall(t))
	wantError(t, out.Err, hooks.KindScript, file+":2: probe.panic panicked: boom")
	// One that the script catches ends the run all the same.
	for _, body := range []string{`pcall(probe.panic)`, `xpcall(probe.panic, print)`, `coroutine.resume(coroutine.create(function() probe.panic() end))`} {
		out, p := run(t, body+` probe.keep("lives on") return context("x")`, shellCall(t))
		wantError(t, out.Err, hooks.KindScript, "probe.panic panicked: boom")
		equal(t, "kept", p.kept, []any(nil))
	}
}

// Libraries are filled as they are read, which nobody can see.
func TestLibrariesLookComplete(t *testing.T) {
	env := withProbe()
	env.Modules = append(env.Modules, luabind.Module{
		Name: "outer", Functions: env.Modules[0].Functions[:2],
		Modules: []luabind.Module{{Name: "outer.inner", Functions: env.Modules[0].Functions[:1]}},
	})
	const look = `
local function names(t) local all = {} for k, v in pairs(t) do assert(t[k] == v and rawget(t, k) == v) all[#all + 1] = k end return table.concat(all, " ") end
local function all() return names(string) .. names(table) .. names(math) .. names(coroutine) .. names(outer) .. names(outer.inner) end
on("stop", function() return context(all()) end)`
	fresh := calls(t, load(t, look, env), 0, sample(t, hooks.Stop)).NewContext
	touched := load(t, `local upper, last = string.upper, outer.inner.keep
assert(string.nothing == nil and math.nothing == nil and ("").nothing == nil and not pcall(function() return outer.nothing end))
assert(math.pi > 3 and next(math) == "abs" and coroutine.wrap(function() return table.sort end)() == table.sort)
assert(require("outer") == outer and require("math") == math and outer.inner.keep == last)
`+look+`
on("pre_prompt", function() assert(string.upper == upper and outer.inner.keep == last and next == pairs{}) end)`, env)
	calls(t, touched, 1, sample(t, hooks.PrePrompt))
	equal(t, "what is listed, after some was read", calls(t, touched, 0, sample(t, hooks.Stop)).NewContext, fresh)
	calls(t, touched, 1, sample(t, hooks.PrePrompt))

	for body, want := range map[string]string{
		`outer.kepe()`:       `outer has no "kepe"; did you mean "keep"?`,
		`outer.iner.keep()`:  `outer has no "iner"; did you mean "inner"?`,
		`outer.inner.give()`: `outer.inner has no "give"`,
		`require("outre")`:   `no such file under lib/; did you mean "outer"?`,
		`require("sting")`:   `no such file under lib/; did you mean "string"?`,
	} {
		wantError(t, loadError(t, body, env), hooks.KindLoad, want)
	}
}
