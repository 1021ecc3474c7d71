package lib

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// workSetup is what the rows of work are about.
const workSetup = `
local long = ("x"):rep(2^16)
local longer = ("x"):rep(2^20)
local words = ("ab cd "):rep(2^14)
local rows = ("a line of text\n"):rep(2^13)
local mixed = ("aB-é€😀 "):rep(2^12)
local digits = ("1"):rep(2^15)
local invalid = ("\255\200"):rep(2^13)
local path1 = ("a/../b/./"):rep(400)
local list, keys, small, emptied, nested, strings = {}, {}, {a=1,b="x",c={1,2,3}}, {}, {}, {}
for i = 1, 2000 do list[i] = (i * 7919) % 2003 end
for i = 1, 2000 do emptied[i] = i end
for i = 2000, 1, -1 do emptied[i] = nil end
for i = 1, 1000 do keys["k" .. i] = i end
for i = 1, 500 do strings[i] = "word " .. i end
local at = nested
for i = 1, 100 do at.x = {} at = at.x end
local holes = {} 
for i = 1, 20000 do holes[i] = i end
for i = 1, 20000 do holes[i] = nil end
local pattern = re.compile("x+y|(?i)z")
local ps = {} for i = 1, 60 do ps[i] = "zq" .. i end
local encoded = json.encode({list = list, keys = keys})
local big = 2^1000
local objects = "[" .. ("{},"):rep(5000) .. "{}]"
local escapes = '"' .. ("\\u0041"):rep(5000) .. '"'
local numbers = "[" .. ("1.5e3,"):rep(5000) .. "1]"
local longnumber = "[" .. ("1"):rep(999) .. "]"
local longnumbers = "[" .. (("1"):rep(900) .. ","):rep(50) .. "1]"
local secret = ("ghp_" .. ("a"):rep(36) .. " "):rep(200)
local command = ("cp a b && "):rep(200) .. "ls"
local sqltext = ("select a, b from t where c = 'x'; "):rep(200)
local t0 = setmetatable({}, {__index = function() return 1 end})
local chain = {} for i = 1, 50 do chain = setmetatable({}, {__index = chain}) end
local b64 = hash.base64_encode(long)
local hexed = hash.hex_encode(long)
local spaces = (" "):rep(2^16)
local newlines = ("\n"):rep(2^16)
local equal1, equal2 = long .. "a", long .. "b"
local eq3 = long .. "a"
local co = coroutine.wrap(function() while true do coroutine.yield(1) end end)
local deep = ("["):rep(900) .. ("]"):rep(900)
local glob = ("*a"):rep(20)
local numeral = ("1"):rep(900)
local lines = text.snippets({{name = "x", patterns = {"line$"}}})
local smalldigits = ("9"):rep(300) .. "e-300"
`

// work is what a script may do without end, a row for each way.
var work = []struct{ name, lua string }{
	{"nothing", ``},
	{"add", `local x = 1 x = x + 1`},
	{"call", `local function f() end f()`},
	{"closure", `local f = function() return long end`},
	{"table", `local t = {}`},
	{"table list", `local t = {1,2,3,4,5,6,7,8,9,10}`},
	{"table fields", `local t = {a=1,b=2,c=3}`},
	{"table new key", `local t = {} t.x = 1`},
	{"concat short", `local s = "a" .. "b" .. tostring(1)`},
	{"concat long", `local s = long .. "b"`},
	{"concat numbers", `local s = 1.5e300 .. 1.25e-300`},
	{"concat big number", `local s = big .. big`},
	{"compare equal texts", `local x = equal1 == eq3`},
	{"compare texts", `local x = equal1 == equal2`},
	{"less texts", `local x = equal1 < equal2`},
	{"length emptied", `local x = #emptied`},
	{"length holes", `local x = #holes`},
	{"length list", `local x = #list`},
	{"length text", `local x = #long`},
	{"arith exponent", `local x = smalldigits * 1`},
	{"arith spaces", `pcall(function() return spaces + 1 end)`},
	{"index text key", `local x = keys[long]`},
	{"index by method", `local x = long:len()`},
	{"index function", `local x = t0.y`},
	{"index chain", `local x = chain.y`},
	{"store", `small.z = 1`},
	{"store nil", `small.z = nil`},
	{"pow", `local x = 2 ^ 0.5`},
	{"mod", `local x = 5.5 % 0.3`},
	{"mod big", `local x = 1e308 % 1e-300`},
	{"select", `local x = select("#", 1, 2, 3)`},
	{"select many", `local x = select(100, unpack(list, 1, 200))`},
	{"unpack", `local x = unpack(list, 1, 200)`},
	{"varargs", `local function f(...) return ... end f(unpack(list, 1, 200))`},
	{"pcall", `pcall(type, 1)`},
	{"pcall error", `pcall(error, "x")`},
	{"pcall error table", `pcall(error, small)`},
	{"pcall long error", `pcall(error, long)`},
	{"xpcall", `xpcall(function() error("x") end, function(m) return m end)`},
	{"error in vm", `pcall(function() return nil + 1 end)`},
	{"error of function", `pcall(string.rep)`},
	{"error index", `pcall(function() local x = nil return x.y.z end)`},
	{"error deep", `local function f(n) if n == 0 then error("x") end f(n - 1) end pcall(f, 50)`},
	{"tostring", `tostring(1.5)`},
	{"tostring big", `tostring(big)`},
	{"tostring table", `tostring(small)`},
	{"tonumber", `tonumber("12")`},
	{"tonumber numeral", `tonumber(numeral)`},
	{"tonumber digits", `tonumber(digits)`},
	{"tonumber base", `tonumber(digits, 7)`},
	{"tonumber spaces", `tonumber(spaces)`},
	{"tonumber exponent", `tonumber(smalldigits)`},
	{"pairs", `for k, v in pairs(keys) do end`},
	{"pairs emptied", `for k, v in pairs(holes) do end`},
	{"ipairs", `for i, v in ipairs(list) do end`},
	{"next", `next(keys)`},
	{"next emptied", `next(holes)`},
	{"rawget", `rawget(small, "a")`},
	{"rawset", `rawset(small, "a", 1)`},
	{"rawequal", `rawequal(equal1, eq3)`},
	{"setmetatable", `setmetatable({}, small)`},
	{"getmetatable", `getmetatable("x")`},
	{"type", `type(1)`},
	{"print", `pcall(print, "x")`},
	{"print long", `pcall(print, long)`},
	{"coroutine", `co()`},
	{"coroutine new", `coroutine.wrap(function() end)()`},
	{"math.random", `math.random(1, 10)`},
	{"math.sin", `math.sin(1e300)`},
	{"math.fmod", `math.fmod(1e308, 1e-300)`},
	{"math.max", `math.max(unpack(list, 1, 200))`},
	{"math.log", `math.log(3)`},
	{"string.byte", `long:byte(1, 200)`},
	{"string.find plain", `long:find("xy", 1, true)`},
	{"string.find plain many", `long:find(("x"):rep(40) .. "y", 1, true)`},
	{"string.find pattern", `long:find("x+y")`},
	{"string.find class", `long:find("[a-w]")`},
	{"string.find balance", `long:find("%bxy")`},
	{"string.find frontier", `long:find("%f[a]")`},
	{"string.match captures", `words:match("(%a+) (%a+) (%a+)")`},
	{"string.match anchored", `long:match("^(x-)y")`},
	{"string.gmatch", `for w in words:gmatch("%a+") do end`},
	{"string.gmatch empty", `for w in long:gmatch("()") do end`},
	{"string.gsub", `words:gsub("%a+", "%0")`},
	{"string.gsub none", `long:gsub("y", "")`},
	{"string.gsub table", `words:gsub("%a+", small)`},
	{"string.gsub function", `words:gsub("%a+", function(x) return x end)`},
	{"string.gsub each", `long:gsub("x", "yy")`},
	{"string.rep", `("x"):rep(1000)`},
	{"string.rep long", `long:rep(4)`},
	{"string.rep empty", `(""):rep(1e6)`},
	{"string.reverse", `long:reverse()`},
	{"string.lower", `long:lower()`},
	{"string.upper", `mixed:upper()`},
	{"string.upper invalid", `invalid:upper()`},
	{"string.len", `long:len()`},
	{"string.sub", `long:sub(2)`},
	{"string.format", `string.format("%d %s", 1, "x")`},
	{"string.format wide", `string.format("%99d", 1)`},
	{"string.format float", `string.format("%.99f", 1e308)`},
	{"string.format float tiny", `string.format("%.99g", 1e-308)`},
	{"string.format q", `string.format("%q", long)`},
	{"string.format s", `string.format("%s", long)`},
	{"string.format many", `string.format(("%d"):rep(100), unpack(list, 1, 100))`},
	{"table.concat", `table.concat(list)`},
	{"table.concat texts", `table.concat(strings, ", ")`},
	{"table.insert", `table.insert(list, 1, 0) table.remove(list, 1)`},
	{"table.insert end", `table.insert(list, 1) table.remove(list)`},
	{"table.sort sorted", `table.sort(list)`},
	{"table.sort texts", `table.sort(strings)`},
	{"table.sort function", `table.sort(list, function(a, b) return a > b end)`},
	{"table.maxn", `table.maxn(list)`},
	{"table.insert emptied", `table.insert(holes, 1) table.remove(holes)`},
	{"json.encode", `json.encode(small)`},
	{"json.encode list", `json.encode(list)`},
	{"json.encode keys", `json.encode(keys)`},
	{"json.encode text", `json.encode(long)`},
	{"json.encode escapes", `json.encode(invalid)`},
	{"json.encode nested", `json.encode(nested)`},
	{"json.encode indent", `json.encode(nested, {indent = true})`},
	{"json.encode numbers", `json.encode({big, 1e-300, 1.1})`},
	{"json.decode", `json.decode(encoded)`},
	{"json.decode objects", `json.decode(objects)`},
	{"json.decode numbers", `json.decode(numbers)`},
	{"json.decode long number", `json.decode(longnumber)`},
	{"json.decode long numbers", `json.decode(longnumbers)`},
	{"json.decode error", `pcall(json.decode, "[1, 2")`},
	{"json.array", `json.array(list)`},
	{"re.match", `re.match(long, "x+y")`},
	{"re.match compiled", `pattern:match(long)`},
	{"re.match short", `re.match("a", "x+y")`},
	{"re.match words", `re.match(words, "(?i)([a-z]+ ){3}zz")`},
	{"re.match bounded", `re.match(long, "x{1,400}y")`},
	{"re.match nested", `re.match(long, "(x|xx)*y")`},
	{"re.match alternatives", `re.match(long, "(x*)(x*)(x*)(x*)(x*)(x*)y")`},
	{"re.find", `re.find(long, "(x+)(y?)")`},
	{"re.find_all", `re.find_all(words, "[a-z]+")`},
	{"re.find_all short", `re.find_all(long, "x")`},
	{"re.find_all empty", `re.find_all(long, "y*")`},
	{"re.find_all never", `re.find_all(long, "x*y")`},
	{"re.find_all lazy", `re.find_all(long, "x*?y|x")`},
	{"re.find_all far", `re.find_all(long, "x(x*y)?")`},
	{"re.find_all backtrack", `re.find_all(long, "(?:x*y)|x")`},
	{"re.replace", `re.replace(words, "[a-z]+", "$0$0")`},
	{"re.replace far", `re.replace(long, "x(x*y)?", "")`},
	{"re.split", `re.split(words, " ")`},
	{"re.split far", `re.split(long, "x(x*y)?")`},
	{"re.captures", `re.captures(words, "(?P<a>[a-z]+) (?P<b>[a-z]+)")`},
	{"re.quote", `re.quote(invalid)`},
	{"re.compile", `re.compile("a+b")`},
	{"re.compile new", `re.compile("a{1,50}" .. math.random())`},
	{"re.compile class", `re.compile("[\\pL\\pN]{1,30}" .. math.random())`},
	{"re.compile fold", `re.compile("(?i)\\pL" .. math.random())`},
	{"re.compile wrong", `pcall(re.compile, "(" .. math.random())`},
	{"text.trim", `text.trim(spaces)`},
	{"text.split", `text.split(words, " ")`},
	{"text.split each", `text.split(long, "x")`},
	{"text.split none", `text.split(long, "xy")`},
	{"text.lines", `text.lines(rows)`},
	{"text.lines empty", `text.lines(newlines)`},
	{"text.count_lines", `text.count_lines(newlines)`},
	{"text.starts_with", `text.starts_with(equal1, equal2)`},
	{"text.contains", `text.contains(long, "xy")`},
	{"text.contains_any", `text.contains_any(long, ps)`},
	{"text.contains_any near", `text.contains_any(long, {"xy", "xxy", "xxxy"})`},
	{"text.truncate", `text.truncate(long, 1000)`},
	{"text.truncate mixed", `text.truncate(mixed, 1000)`},
	{"text.squeeze", `text.squeeze(rows)`},
	{"text.squeeze newlines", `text.squeeze(newlines)`},
	{"text.squeeze mixed", `text.squeeze(mixed)`},
	{"text.excerpt", `text.excerpt(rows, {bytes = 1000})`},
	{"text.snippets", `text.snippets({{name = "x", patterns = {"zq", "zr"}}})`},
	{"text.excerpt snippets", `text.excerpt(rows, {bytes = 1000, snippets = lines})`},
	{"path.join", `path.join(path1, path1)`},
	{"path.clean", `path.clean(path1)`},
	{"path.base", `path.base(path1)`},
	{"path.abs", `pcall(path.abs, path1, "/")`},
	{"path.rel", `path.rel("/" .. path1, "/" .. path1)`},
	{"path.match", `path.match("**/*.go", "a/b/c/d/e.rs")`},
	{"path.match stars", `path.match(glob, ("a"):rep(200) .. "b")`},
	{"path.match globstars", `path.match(("**/"):rep(20) .. "b", ("a/"):rep(200))`},
	{"path.match braces", `pcall(path.match, "{a,b}{c,d}{e,f}{g,h}{i,j}", "acegz")`},
	{"path.match class", `path.match("[a-z]*[0-9]", ("a"):rep(500))`},
	{"path.inside", `path.inside("/a", "/" .. path1)`},
	{"time.now", `time.now()`},
	{"time.date", `time.date()`},
	{"time.date long", `pcall(time.date, ("%Y"):rep(100))`},
	{"time.iso", `time.iso()`},
	{"time.parse", `pcall(time.parse, "2026-01-01T00:00:00Z")`},
	{"hash.sha256", `hash.sha256(long)`},
	{"hash.sha256 short", `hash.sha256("x")`},
	{"hash.sha1", `hash.sha1(long)`},
	{"hash.md5", `hash.md5(long)`},
	{"hash.crc32", `hash.crc32(long)`},
	{"hash.hmac", `hash.hmac_sha256(long, long)`},
	{"hash.hmac short", `hash.hmac_sha256("x", "y")`},
	{"hash.base64", `hash.base64_encode(long)`},
	{"hash.base64 decode", `hash.base64_decode(b64)`},
	{"hash.hex", `hash.hex_encode(long)`},
	{"hash.hex decode", `hash.hex_decode(hexed)`},
	{"log.debug", `pcall(log.debug, "x", small)`},
	{"shell.parse", `shell.parse(command)`},
	{"shell.parse short", `shell.parse("ls")`},
	{"shell.parse read", `local l = shell.parse("cp -r a b") for _, c in ipairs(l.commands) do c:paths() c:operands() c:flag("-r") end`},
	{"shell.split", `shell.split(words)`},
	{"shell.quote", `shell.quote(invalid)`},
	{"sql.parse", `sql.parse(sqltext)`},
	{"sql.parse short", `sql.parse("select 1")`},
	{"sql.find", `sql.find({input = {query = sqltext}})`},
	{"redact.text", `redact.text(secret)`},
	{"redact.text words", `redact.text(words)`},
	{"redact.text long", `redact.text(long)`},
	{"redact.value", `redact.value(small)`},
	{"store.get", `pcall(store.get, "x")`},
	{"store.set", `pcall(store.set, "x", small)`},
	{"event", `local x = ev.tool_call and ev.event`},
	{"deny", `deny("x")`},
	{"modify", `pcall(modify, small)`},
	{"context", `context("x")`},
	{"message", `message("x")`},
	{"output", `output(small)`},
	{"output long", `output(long)`},
	{"require", `pcall(require, "text")`},
	{"require unknown", `pcall(require, "nothing")`},
	{"unknown global", `local x = unknownglobal`},
	{"unknown field", `pcall(function() return text.nothing end)`},
}

// BenchmarkWork is what a unit of work takes that the budget of a run counts, for each way to spend it: a row that
// takes much longer than the others is charged too little, and lets a script run longer than its limit on
// instructions means.
func BenchmarkWork(b *testing.B) {
	const units = 1_000_000
	limits := luabind.Limits{Instructions: units, Timeout: time.Minute, Memory: 1 << 30}
	for _, row := range work {
		b.Run(strings.ReplaceAll(row.name, " ", "_"), func(b *testing.B) {
			s, err := load(b, luabind.Environment{Modules: Modules(), Words: luabind.Globals, Limits: wide},
				strings.ReplaceAll(workSetup, "\n", " ")+"\non('stop', function(ev) while true do "+row.lua+" end end)")
			if err != nil {
				b.Fatal(err)
			}
			c, err := (&hooks.Context{Event: hooks.Stop}).Complete()
			if err != nil {
				b.Fatal(err)
			}
			var used int64
			for b.Loop() {
				out := s.Call(context.Background(), 0, c, limits)
				var e *hooks.Error
				if !errors.As(out.Err, &e) || e.Kind != hooks.KindLimit {
					b.Fatal(out.Err)
				}
				used += out.Instructions
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(used), "ns/unit")
			b.ReportMetric(0, "ns/op")
		})
	}
}
