package luabind_test

import (
	"regexp"
	"testing"

	"github.com/luahook/luahook/hooks"
)

func TestSelectAndUnpack(t *testing.T) {
	passes(t, refusals+`
assert(select("#") == 0 and select("#", nil, nil) == 2 and select("#x", 1) == 1)
assert(select(2, "a", "b", "c") == "b" and select("#", select(2, "a", "b", "c")) == 2 and select("2", "a", "b") == "b")
assert(select(-1, "a", "b", "c") == "c" and select("#", select(-3, "a", "b", "c")) == 3)
assert(select("#", select(4, "a", "b", "c")) == 0 and select("#", select(1e300, "a")) == 0 and select(1.9, "a", "b") == "a")
for _, n in ipairs{ 0, -2, 0.5, -1e300, 0 / 0 } do refuses("bad argument #1 to 'select' (index out of range)", select, n, "a") end
refuses("bad argument #1 to 'select' (number expected, got string)", select, "x", "a")
refuses("bad argument #1 to 'select' (number expected, got no value)", select)

local function list(...) local s = "" for i = 1, select("#", ...) do s = s .. tostring((select(i, ...))) .. " " end return s end
local t = { 1, 2, 3, [-1] = "m", [0] = "z" }
assert(list(unpack(t)) == "1 2 3 " and list(unpack(t, 2)) == "2 3 " and list(unpack(t, 2, 2)) == "2 " and list(unpack(t, 3, 2)) == "")
assert(list(unpack(t, -1, 1)) == "m z 1 " and list(unpack(t, 3, 5)) == "3 nil nil " and list(unpack(t, "1", "2")) == "1 2 ")
assert(list(unpack({})) == "" and list(unpack({}, 1, 2)) == "nil nil " and list(unpack(t, 1, nil)) == "1 2 3 ")
assert(list(unpack(setmetatable({ 1 }, { __index = error }), 1, 2)) == "1 nil " and select("#", unpack(string)) == 0)
assert(select("#", unpack({}, 1, 8000)) == 8000)
for _, last in ipairs{ 8001, 1e6, 1e9, 2^31, 2^53, 1e300 } do refuses("too many results to unpack", unpack, {}, 1, last) end
refuses("too many results to unpack", unpack, {}, -1e300, 1e300)
assert(list(unpack({}, 1, -1e300)) == "" and list(unpack({}, 1, 0 / 0)) == "")
refuses("bad argument #1 to 'unpack' (table expected, got nil)", unpack, nil)
`, sample(t, hooks.Stop))
}

func TestMetatables(t *testing.T) {
	passes(t, refusals+`
local t, meta = {}, {}
assert(getmetatable(t) == nil and setmetatable(t, meta) == t and getmetatable(t) == meta and setmetatable(t, nil) == t and getmetatable(t) == nil)
meta.__metatable = "mine" setmetatable(t, meta) assert(getmetatable(t) == "mine")
refuses("cannot change a protected metatable", setmetatable, t, {})
meta.__metatable = false refuses("cannot change a protected metatable", setmetatable, t, nil)
assert(getmetatable("") == false and getmetatable(1) == nil and getmetatable(nil) == nil and getmetatable(print) == nil)
assert(getmetatable(string) == false and getmetatable(ev) == "ev")
for _, v in ipairs{ 1, "x", true, print, ev, probe.null } do refuses("bad argument #1 to 'setmetatable' (table expected, got ", setmetatable, v, {}) end
refuses("bad argument #2 to 'setmetatable' (nil or table expected)", setmetatable, {})
refuses("bad argument #2 to 'setmetatable' (nil or table expected)", setmetatable, {}, 1)
refuses("bad argument #1 to 'getmetatable' (value expected)", getmetatable)
`, sample(t, hooks.Stop))
}

func TestTypeAndRawAccess(t *testing.T) {
	passes(t, refusals+`
for want, v in pairs{ number = 1, string = "", boolean = false, table = {}, ["function"] = print, userdata = ev, thread = coroutine.create(function() end) } do
  assert(type(v) == want)
end
assert(type(nil) == "nil")
refuses("bad argument #1 to 'type' (value expected)", type)

local t = setmetatable({}, { __eq = function() return true end, __index = function() return "i" end })
local u = setmetatable({}, getmetatable(t))
assert(t == u and not rawequal(t, u) and rawequal(t, t) and rawequal("a" .. 1, "a1") and not rawequal(1, "1") and not rawequal(0 / 0, 0 / 0))
assert(t.x == "i" and rawget(t, "x") == nil and rawget(t, nil) == nil and rawget(t, 0 / 0) == nil and rawget(string, "format") == string.format)
refuses("bad argument #2 to 'rawequal' (value expected)", rawequal, 1)
refuses("bad argument #2 to 'rawget' (value expected)", rawget, {})
refuses("bad argument #1 to 'rawget' (table expected, got string)", rawget, "x", 1)
`, sample(t, hooks.Stop))
}

func TestAssert(t *testing.T) {
	passes(t, refusals+`
assert(select("#", assert(1, nil, 3)) == 3 and select(3, assert(1, nil, 3)) == 3)
refuses("assertion failed!", assert, false)
refuses("assertion failed!", assert, nil, nil)
refuses("100%d %s", assert, nil, "100%d %s")
refuses("12", assert, false, 12)
refuses("bad argument #1 to 'assert' (value expected)", assert)
refuses("bad argument #2 to 'assert' (string expected, got table)", assert, false, {})
`, sample(t, hooks.Stop))
	out, _ := run(t, "\nassert(ev.cwd == nil, 'no cwd wanted')", sample(t, hooks.Stop))
	wantError(t, out.Err, hooks.KindScript, ".hooks/a.lua:2: no cwd wanted")
}

func TestToNumber(t *testing.T) {
	passes(t, refusals+`
for text, want in pairs{
  ["0"] = 0, ["10"] = 10, [" 10 "] = 10, ["\t\n\v\f\r1\r\n"] = 1, ["-7"] = -7, ["+7"] = 7, ["0x10"] = 16, ["-0XfF"] = -255, ["010"] = 10,
  ["1.5"] = 1.5, [".5"] = 0.5, ["5."] = 5, ["-.5e1"] = -5, ["1e2"] = 100, ["1E+2"] = 100, ["1e-2"] = 0.01, ["1e999"] = 1 / 0, ["-1e999"] = -1 / 0,
  ["9007199254740993"] = 2^53, ["0xffffffffffffffff"] = 2^64, ["1e-999"] = 0,
} do assert(tonumber(text) == want, text) end
for _, text in ipairs{
  "", " ", "x", "1x", "x1", "1 2", "1_000", "0x", "0x1p4", "0x.8", "0x1.8", "0b1", "0o7", "inf", "Inf", "nan", "NaN", "infinity", "1e", "1e+", "e5",
  ".", "-", "+", "--1", "+-1", "- 1", "1.2.3", "1,5", "１", "1\0", "0x-1", "1e1.5",
} do assert(tonumber(text) == nil, text) end
assert(tonumber(5) == 5 and tonumber(nil) == nil and tonumber({}) == nil and tonumber(true) == nil and tonumber(ev) == nil)

for _, case in ipairs{
  { "10", 2, 2 }, { "ff", 16, 255 }, { "0xFF", 16, 255 }, { " z ", 36, 35 }, { "-zz", 36, -1295 }, { "7", 8, 7 }, { "10", 10, 10 }, { 10, 16, 16 },
  { "1e1", 16, 481 }, { "777", "8", 511 }, { "99", 36, 333 },
  { "8", 8 }, { "2", 2 }, { "", 16 }, { "g", 16 }, { "0x", 16 }, { "1.0", 2 }, { "0x10", 8 }, { "1 0", 2 }, { "[", 36 }, { "@", 36 },
} do assert(tonumber(case[1], case[2]) == case[3], case[1]) end
for _, base in ipairs{ 0, 1, 37, -2, 1e300 } do refuses("bad argument #2 to 'tonumber' (base out of range)", tonumber, "1", base) end
refuses("bad argument #1 to 'tonumber' (value expected)", tonumber)
refuses("bad argument #1 to 'tonumber' (string expected, got table)", tonumber, {}, 16)
refuses("bad argument #2 to 'tonumber' (number expected, got string)", tonumber, "1", "x")
`, sample(t, hooks.Stop))
}

func TestToString(t *testing.T) {
	passes(t, refusals+`
for _, n in ipairs{ 0, 1, -1, 255, 1e15, 2^53, -2^63, 1e100, 0.1, 1/3, 1e-7, -1.5e300, 5e-324, 1/0, -1/0, 1234567.5, 100000.25 } do
  assert(tostring(n) == "" .. n and tonumber(tostring(n)) == n or n == 1/0 or n == -1/0, n)
end
assert(tostring(0.1) == "0.1" and tostring(1e15) == "1000000000000000" and tostring(-0.5) == "-0.5" and tostring(1e100) == "1e+100")
assert(tostring(nil) == "nil" and tostring(true) == "true" and tostring("x\0") == "x\0")
assert(tostring(probe.give("12345678901234567890")) == "12345678901234567890" and tostring(probe.null) == "null" and tostring(ev) == "ev")

local meta = { __tostring = function(t) return t.name end }
assert(tostring(setmetatable({ name = "n" }, meta)) == "n" and tostring(setmetatable({}, meta)) == nil)
assert(tostring(setmetatable({}, { __tostring = setmetatable({}, { __call = function(_, t) return "called" end }) })) == "called")
refuses("oops", tostring, setmetatable({}, { __tostring = function() error("oops") end }))
refuses("'tostring' must return a string to 'print'", print, setmetatable({}, meta))
refuses("bad argument #1 to 'tostring' (value expected)", tostring)
`, sample(t, hooks.Stop))
}

// What an object prints as tells it from others and nothing about memory.
func TestObjectsHaveNames(t *testing.T) {
	out, p := run(t, `
local names, objects = {}, {}
for i = 1, 100 do
  objects[i] = { {}, function() return i end, coroutine.create(function() end) }
  for _, o in ipairs(objects[i]) do
    local name = tostring(o)
    assert(not names[name] and name == tostring(o)) names[name] = true
    assert(name:find("^" .. type(o) .. ": 0x%x+$") and #name == #type(o) + 16, name)
  end
end
probe.keep(tostring(print)) probe.keep(tostring(objects)) probe.keep(tostring(deny("x")))`, sample(t, hooks.Stop))
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	heap := regexp.MustCompile(`0x0*c[0-9a-f]{9}$`)
	for _, name := range p.kept {
		if heap.MatchString(name.(string)) {
			t.Errorf("%s looks like an address", name)
		}
	}
}
