package luabind_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// stringChecks has same, which compares what a call returns, joined by spaces, and
// fails, which checks what it raises.
const stringChecks = `
local function same(want, ...)
  local got = {}
  for i = 1, select("#", ...) do got[i] = tostring((select(i, ...))) end
  got = table.concat(got, " ")
  if got ~= want then error(("got %q, want %q"):format(got, want), 2) end
end
local function fails(want, f, ...)
  local ok, e = pcall(f, ...)
  if ok then error("no error, want " .. want, 2) end
  if not tostring(e):find(want, 1, true) then error(("got %q, want %q"):format(tostring(e), want), 2) end
end
`

func stringsPass(t *testing.T, body string) {
	t.Helper()
	passes(t, stringChecks+body, sample(t, hooks.Stop))
}

func TestStringParts(t *testing.T) {
	stringsPass(t, `
same("234", ("123456789"):sub(2, 4))
same("789", ("123456789"):sub(7))
same("", ("123456789"):sub(7, 6))
same("", ("123456789"):sub(0, 0))
same("123456789", ("123456789"):sub(-10, 10))
same("456", ("123456789"):sub(-6, -4))
same("9", ("123456789"):sub(-1))
same("123", ("123"):sub(1, math.huge))
same("123", ("123"):sub(-math.huge, 1e300))
same("", ("123"):sub(math.huge))
same("12", ("123"):sub("1", "2.9"))
same("2", string.sub(123, 2, 2))
same("3 0 4", #"abc", (""):len(), ("a\0bc"):len())
same("97", ("abc"):byte())
same("98", ("abc"):byte(2))
same("99", ("abc"):byte(-1))
same("97 98 99", ("abc"):byte(1, -1))
same("97 98 99", ("abc"):byte(-100, 100))
same("", ("abc"):byte(4))
same("", ("hi"):byte(-3))
same("", ("hi"):byte(9, 10))
same("", (""):byte())
same("255", ("\255"):byte())
same("a\0\255", string.char(97, 0, 255))
same("", string.char())
same(("x"):rep(100), string.char((("x"):rep(100)):byte(1, -1)))
same("8000", select("#", ("x"):rep(9000):byte(1, 8000)))
same("cba  \0a", ("abc"):reverse(), (""):reverse(), ("a\0"):reverse())
same("ABC1\0\233 abc1\0\233", ("aBc1\0\233"):upper(), ("aBC1\0\233"):lower())
same("123 abc", string.upper(123), ("abc"):lower())
same("ababab", ("ab"):rep(3))
same("    ", ("ab"):rep(0), ("ab"):rep(-1), ("ab"):rep(0.9), (""):rep(1e300), ("x"):rep(-math.huge))
same("abab", ("ab"):rep(2.9))
same("", ("ab"):rep(0/0))

fails("bad argument #1 to 'sub' (string expected, got nil)", string.sub, nil, 1)
fails("bad argument #1 to 'len' (string expected, got no value)", string.len)
fails("bad argument #2 to 'sub' (number expected, got no value)", string.sub, "x")
fails("bad argument #2 to 'rep' (number expected, got string)", string.rep, "x", "1_0")
fails("bad argument #1 to 'upper' (string expected, got table)", string.upper, {})
fails("bad argument #1 to 'char' (invalid value)", string.char, 256)
fails("bad argument #2 to 'char' (invalid value)", string.char, 1, -1)
fails("string slice too long", string.byte, ("x"):rep(8001), 1, -1)
`)
}

func TestStringFindAndMatch(t *testing.T) {
	stringsPass(t, `
same("1 0", (""):find(""))
same("4 3", ("abc"):find("", 10))
same("2 1", ("abc"):find("", 2, true))
same("nil", ("abc"):find("x"))
same("nil", (""):find("aaa", 1))
same("3 5", ("123456789"):find("345"))
same("13 15", ("1234567890123456789"):find("345", 4))
same("13 15", ("1234567890123456789"):find(".45", -9))
same("1 1", ("abc"):find("a", -100))
same("4 6", ("alo(.)alo"):find("(.)", 1, true))
same("nil", ("abc"):find("b", 10, true))
same("nil", ("a.b"):find("a%.", 1, true))
same("2 2", ("abc"):find("b", 1, false))
same("1 3 b", ("abc"):find("a(.)c"))
same("2 3 2 bc 4", ("abc"):find("()(bc)()"))
same("2 4", ("x112"):find(112))
same("300 300", (("a"):rep(299) .. "b"):find("b"))
same("41 240", (("a"):rep(40) .. ("b"):rep(200)):find(("b"):rep(200)))
same("41 240", (("a"):rep(40) .. ("b"):rep(200)):find(("b"):rep(199) .. "."))

same("abc", ("abc"):match(".*"))
same("b", ("abc"):match("a(.)"))
same("k v", ("k=v"):match("(%w+)=(%w+)"))
same("nil", ("abc"):match("x"))
same("c", ("abc"):match(".", 3))
same("c", ("abc"):match(".", -1))
same("", ("abc"):match(".-"))
same("3", ("abc"):match("()c"))
same("git push", ("  git push \n"):match("^%s*(.-)%s*$"))

fails("malformed pattern (missing ']')", string.find, "a", "[a")
fails("malformed pattern (ends with '%')", string.match, "a", "a%")
fails("unfinished capture", string.find, "a", "(a")
fails("invalid pattern capture", string.gmatch, "a", "a)")
fails("invalid capture index", string.gsub, "a", "%1", "")
fails("missing '[' after '%f' in pattern", string.find, "a", "%fa")
fails("bad argument #2 to 'find' (string expected, got no value)", string.find, "a")
fails("bad argument #3 to 'match' (number expected, got table)", string.match, "a", "a", {})
`)
}

// What a state keeps of patterns makes no difference to the next call with them.
func TestPatternsAreKept(t *testing.T) {
	stringsPass(t, `
for round = 1, 3 do
  for i = 1, 200 do
    same(tostring(i), ("x" .. i .. "y"):match("x(" .. i .. ")y"))
  end
  same("^a", ("b^a"):gmatch("^a")())
  same("nil", ("b^a"):match("^a"))
  same("2 1", ("b^a"):gsub("^b^", "2"):gsub("a", ""))
  fails("unfinished capture", string.find, "a", "(a")
end
`)
}

func TestGmatch(t *testing.T) {
	stringsPass(t, `
local function all(s, p)
  local t = {}
  for a, b in s:gmatch(p) do t[#t + 1] = tostring(a) .. (b and "," .. tostring(b) or "") end
  return table.concat(t, " ")
end
same("first second word", all("first second word", "%w+"))
same("k,1 l,2", all("k=1, l=2", "(%w+)=(%w+)"))
same("1 2 3 4", all("abc", "()"))
same(" b  ", all("abc", "b*"))
same("3,x 6,u 9,p", all("xuxx uu ppar r", "()(.)%2"))
same("", all("abc", "x"))
local next = ("ab"):gmatch(".")
same("a b nil nil", next(), next(), next(), next())
-- It looks no further than it is asked: the rest would take too long.
local slow = ("ab" .. ("a"):rep(100000)):gmatch("(a-)b")
same("a", slow())
`)
}

func TestGsub(t *testing.T) {
	stringsPass(t, `
same("xlo xlo 2", ("alo alo"):gsub("a", "x"))
same("alo alo 0", ("alo alo"):gsub("x", "y"))
same("ab 1", ("ab  "):gsub(" +$", ""))
same("hello hello world world 2", ("hello world"):gsub("(%w+)", "%1 %1"))
same("hello hello world 1", ("hello world"):gsub("%w+", "%0 %0", 1))
same("xyz=abc-abc=xyz 1", ("abc=xyz"):gsub("(%w*)(%p)(%w+)", "%3%2%1-%0"))
same("abcabc 1", ("abc"):gsub("%w+", "%0%1"))
same("12o 56o 4", ("alo alo"):gsub("()[al]", "%1"))
same("100% 1", ("x"):gsub("x", "100%%"))
same("%c% 1", ("x"):gsub("x", "%%c%"))
same("-a-b-c- 4", ("abc"):gsub("", "-"))
same("--b-- 4", ("abc"):gsub("[ac]*", "-"))
same("xx 2", ("abc"):gsub("%w*", "x"))
same("r 1", (""):gsub("^", "r"))
same("r 1", (""):gsub("$", "r"))
same("xaaa 1", ("aaaa"):gsub("^a", "x"))
same("abc! 1", ("abc"):gsub("$", "!"))
same("abc 0", ("abc"):gsub(".", "x", 0))
same("abc 0", ("abc"):gsub(".", "x", -1))
same("xxc 2", ("abc"):gsub(".", "x", 2))
same("7b7b 2", ("abab"):gsub("a", 7))
same(" 3", ("abc"):gsub(".", ""))
same("bc 1", ("abc"):gsub("a", ""))
same("1523 2", string.gsub(123, "[12]", { ["2"] = 52 }))

same("AAo AAo 7", ("alo alo"):gsub("(.)", { a = "AA", l = "" }))
same("alo 3", ("alo"):gsub(".", {}))
same("256 alo 7", ("alo alo"):gsub("().", { 2, 5, 6 }))
same("a ALO b HI 2", ("a alo b hi"):gsub("%w%w+", setmetatable({}, { __index = function(_, s) return s:upper() end })))
same("f b l 3", ("a b c"):gsub("%w", { a = "f", b = false, c = "l" }))

same("um (DOIS) 1", ("um (dois)"):gsub("(%(%w+%))", string.upper))
same("ab 2", ("ab"):gsub(".", function() end))
same("ab 2", ("ab"):gsub(".", function() return false end))
same("1a2b 3", ("ab"):gsub("()", function(i) if i < 3 then return i end end))
local seen = {}
same("k=v 1", ("k=v"):gsub("(%w)=(%w)()", function(...) seen = { ... } end))
same("k v 4", unpack(seen))
local function rev(s) return (s:gsub("(.)(.+)", function(c, rest) return rev(rest) .. c end)) end
same("543210", rev("012345"))
local n = 0
fails("stop here", string.gsub, "aaa", "a", function() n = n + 1 if n == 2 then error("stop here") end end)
same("2", n)
same("x 1", ("a"):gsub("a", "x"))

fails("invalid capture index", string.gsub, "alo", "(.)", "%2")
fails("bad argument #3 to 'gsub' (string/function/table expected, got nil)", string.gsub, "a", "a", nil)
fails("bad argument #3 to 'gsub' (string/function/table expected, got boolean)", string.gsub, "a", "a", true)
fails("bad argument #3 to 'gsub' (string/function/table expected, got ev)", string.gsub, "a", "a", ev)
fails("invalid replacement value (a table)", string.gsub, "a", "a", function() return {} end)
fails("invalid replacement value (a boolean)", string.gsub, "a", "a", { a = true })
`)
}

// The string that gsub builds grows as it goes; nothing is lost where it does.
func TestGsubOfLongStrings(t *testing.T) {
	stringsPass(t, `
local s, n = ("ab"):rep(50000):gsub("b", "cde")
same("200000 50000", #s, n)
assert(s == ("acde"):rep(50000))
assert(("a"):rep(300000):find("^a*.?$") and ("a"):rep(300000):find("^a-.?$"))
assert(not ("a"):rep(300000):find("^a*.?b$"))
assert(not ("a"):rep(900000):find(".*b"))
assert(not ("a"):rep(900000):find(".-b"))
assert(not ("a"):rep(900000):find("a*%s*b", 899000))
same("900001 900001", (("a"):rep(900000) .. "b"):find("[^a]+"))
`)
}

func TestFormat(t *testing.T) {
	stringsPass(t, `
same("", string.format(""))
same("a%b", string.format("a%%b"))
same("%10 0000000023", string.format("%%%d %010d", 10, 23))
same("3 -3 3", string.format("%d %d %i", 3.9, -3.9, "3"))
same("[   42] [42   ] [00042] [+42] [ 42]", string.format("[%5d] [%-5d] [%05d] [%+d] [% d]", 42, 42, 42, 42, 42))
same("[00042] [  042] []", string.format("[%.5d] [%5.3d] [%.0d]", 42, 42, 0))
same("ff FF 0xff 0XFF 377 0377", string.format("%x %X %#x %#X %o %#o", 255, 255, 255, 255, 255, 255))
same("ffffffffffffffff 18446744073709551615", string.format("%x %u", -1, -1))
same("9223372036854775808", string.format("%u", 2^63))
same("-9223372036854775808 -9223372036854775808", string.format("%d %d", 1e300, 0/0))
same("0 0", string.format("%#x %#o", 0, 0))
same("1.000000e+10 1E-05", string.format("%e %.0E", 1e10, 1e-5))
same("3.14 3.141593 3.", string.format("%.2f %f %#.0f", math.pi, math.pi, math.pi))
same("0.1 1e+20 100000 1e+06 1.00000", string.format("%g %g %g %g %#g", 0.1, 1e20, 100000, 1000000, 1))
same("1.5E-07 1.00E+10", string.format("%G %#.3G", 1.5e-7, 1e10))
same("[  +1.50] [-001.50] [1.50   ]", string.format("[%+7.2f] [%07.2f] [%-7.2f]", 1.5, -1.5, 1.5))
same("inf -inf [  inf] [+inf] INF", string.format("%f %f [%05f] [%+g] %G", 1/0, -1/0, 1/0, 1/0, 1/0))
assert(string.format("%f", 0/0):find("nan"))
assert(#string.format("%99.99f", -1e308) >= 100)
same("a\0[  b]", string.format("%c%c[%3c]", 97, 0, 98))
same("x 1 nil true", string.format("%s %s %s %s", "x", 1, nil, true))
same("[  abc] [abc  ] [ab] [   ab]", string.format("[%5s] [%-5s] [%.2s] [%5.2s]", "abc", "abc", "abc", "abc"))
same("a\0b", string.format("%s", "a\0b"))
same("shown", string.format("%s", setmetatable({}, { __tostring = function() return "shown" end })))
same('"a\\"b\\\\c\\\nd\\re\\000f"', string.format("%q", 'a"b\\c\nd\re\0f'))
same('"1"', string.format("%q", 1))
same(("%"):rep(20) .. ".20s", string.format("%.20s.20s", ("%"):rep(2000)))
same("12", string.format(1) .. string.format("%s", 2))

fails("bad argument #2 to 'format' (number expected, got no value)", string.format, "%d")
fails("bad argument #3 to 'format' (number expected, got string)", string.format, "%d %d", 1, "x")
fails("bad argument #2 to 'format' (string expected, got no value)", string.format, "%s")
fails("bad argument #2 to 'format' (string expected, got table)", string.format, "%q", {})
fails("invalid option '%y' to 'format'", string.format, "%y", 1)
fails("invalid option '%' to 'format'", string.format, "%")
fails("invalid option '%v' to 'format'", string.format, "%v", 1)
fails("invalid option '%[' to 'format'", string.format, "%[1]d", 1)
fails("invalid option '%*' to 'format'", string.format, "%*d", 1, 1)
fails("invalid format (width or precision too long)", string.format, "%100d", 1)
fails("invalid format (width or precision too long)", string.format, "%.100f", 1)
fails("invalid format (repeated flags)", string.format, "%------d", 1)
fails("'__tostring' must return a string", string.format, "%s", setmetatable({}, { __tostring = function() return {} end }))
`)
}

// Numbers that a Lua number can't hold exactly are written as they came.
func TestStringFunctionsTakeWholeNumbers(t *testing.T) {
	p := &probe{}
	s := load(t, `on("stop", function(ev)
local n = probe.give("9007199254740993")
assert(string.format("%d %s", n, n) == "9007199254740993 9007199254740993")
assert(string.format("%x", n) == "20000000000001")
assert(string.find(n, "993$") == 14 and string.len(n) == 16)
assert(("n"):gsub("n", n) == "9007199254740993")
end)`, luabind.Environment{Modules: []luabind.Module{p.module()}})
	calls(t, s, 0, sample(t, hooks.Stop))
}

// An iterator that was made while the script loaded goes on in the runs.
func TestGmatchOverRuns(t *testing.T) {
	s := load(t, `local next = ("a b c"):gmatch("%w") next()
on("stop", function() return context(next() or "over") end)`, luabind.Environment{})
	for _, want := range []string{"b", "c", "over", "over"} {
		if got := show(t, calls(t, s, 0, sample(t, hooks.Stop))); !strings.Contains(got, `"`+want+`"`) {
			t.Errorf("the call gives %s, want %s", got, want)
		}
	}
}
