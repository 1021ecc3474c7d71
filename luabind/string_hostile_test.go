package luabind_test

import (
	"context"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// What a script can do with strings that takes for ever, or all memory, in one call or
// in a loop that the VM doesn't see, ends by a limit.
func TestStringsEndByALimit(t *testing.T) {
	for _, c := range []struct {
		name, body string
		limit      hooks.Limit
	}{
		// Matching that backtracks without end.
		{"optional bytes", `(("a"):rep(40)):find(("a?"):rep(40) .. ("a"):rep(40))`, hooks.LimitInstructions},
		{"lazy repetitions", `(("x"):rep(5000)):find((".-"):rep(6) .. "y")`, hooks.LimitInstructions},
		{"greedy repetitions", `(("x"):rep(5000)):find((".*x"):rep(6) .. "y")`, hooks.LimitInstructions},
		{"sets", `(("x"):rep(5000)):find(("[xy]*"):rep(6) .. "z")`, hooks.LimitInstructions},
		{"from every byte", `(("a"):rep(60000)):find("a-b")`, hooks.LimitInstructions},
		{"greedy from every byte", `(("a"):rep(60000)):find("[a]+b")`, hooks.LimitInstructions},
		{"a set that keeps what it has", `(("a"):rep(90000)):find("a+%s")`, hooks.LimitInstructions},
		{"captures", `(("a"):rep(60000)):find("(a*)(a*)(a*)b")`, hooks.LimitInstructions},
		{"back-references", `(("a"):rep(60000)):find("(a*)%1b")`, hooks.LimitInstructions},
		{"balanced pairs", `(("("):rep(60000)):find("%b()")`, hooks.LimitInstructions},
		{"frontiers", `(("a "):rep(60000)):find(".*%f[%w].*%f[%d]")`, hooks.LimitInstructions},
		{"gmatch", `for w in (("a"):rep(60000)):gmatch("a-b") do end`, hooks.LimitInstructions},
		{"substitution", `(("a"):rep(60000)):gsub("a-b", "")`, hooks.LimitInstructions},
		{"match", `(("a"):rep(60000)):match("a-b")`, hooks.LimitInstructions},
		{"caught", `while true do pcall(string.find, ("a"):rep(6000), "a-b") end`, hooks.LimitInstructions},
		{"in a replacement", `(("a"):rep(1000)):gsub("a", function() ; (("a"):rep(1000)):find("a-b") end)`, hooks.LimitInstructions},
		// Searches that compare much.
		{"plain", `local s, p = ("a"):rep(1000000), ("a"):rep(500000) .. "b" s:find(p, 1, true)`, hooks.LimitInstructions},
		{"plain, as a pattern", `local s, p = ("a"):rep(1000000), ("a"):rep(500000) .. "b" s:find(p)`, hooks.LimitInstructions},
		{"literal in a pattern", `local s, p = ("a"):rep(1000000), ("a"):rep(500000) .. "b." s:find(p)`, hooks.LimitInstructions},
		{"plain, over and over", `local s = ("a"):rep(1000000) while true do s:find("b", 1, true) end`, hooks.LimitInstructions},
		{"the whole of a long string", `local s = ("a"):rep(1000000) while true do s:find(".*b") end`, hooks.LimitInstructions},
		// Work without a match, or per byte.
		{"upper", `local s = ("a"):rep(1000000) while true do s:upper() end`, hooks.LimitMemory},
		{"lower", `local s = ("a"):rep(1000000) while true do s:lower() end`, hooks.LimitInstructions},
		{"reverse", `local s = ("a"):rep(1000000) while true do s:reverse() end`, hooks.LimitMemory},
		{"bytes", `local s = ("a"):rep(8000) while true do s:byte(1, -1) end`, hooks.LimitInstructions},
		{"patterns", `local p = ("%%"):rep(1000000) while true do (""):find(p) end`, hooks.LimitMemory},
		{"sets in patterns", `local p = ("[%z-\255]"):rep(4000) while true do (""):find(p) end`, hooks.LimitInstructions},
		{"small patterns", `local i = 0 while true do i = i + 1 (""):find("[^" .. i .. "]*") end`, hooks.LimitInstructions},
		// Memory.
		{"rep", `("x"):rep(2^34)`, hooks.LimitMemory},
		{"rep of rep", `("x"):rep(2^20):rep(2^14)`, hooks.LimitMemory},
		{"rep without end", `("x"):rep(math.huge)`, hooks.LimitMemory},
		{"rep beyond 64 bits", `("xx"):rep(2^63)`, hooks.LimitMemory},
		{"many reps", `local t = {} for i = 1, 1e6 do t[i] = ("x"):rep(1e5) end`, hooks.LimitMemory},
		{"gsub that amplifies", `("x"):rep(1e6):gsub("x", ("y"):rep(1e6))`, hooks.LimitMemory},
		{"gsub with the match", `local s = ("x"):rep(1e6) s:gsub(".*", ("%0"):rep(1000))`, hooks.LimitMemory},
		{"gsub with a capture", `local s = ("x"):rep(1e6) s:gsub("(.*)", ("%1"):rep(1000))`, hooks.LimitMemory},
		{"gsub with a table", `local s = ("x"):rep(1e5) s:gsub("x", { x = s })`, hooks.LimitMemory},
		{"gsub with a function", `local s = ("x"):rep(1e5) s:gsub("x", function() return s end)`, hooks.LimitMemory},
		{"format with width", `local f, n = ("%99d"):rep(200), {} for i = 1, 200 do n[i] = i end while true do f:format(unpack(n)) end`, hooks.LimitMemory},
		{"format of long strings", `local s = ("x"):rep(1e6) string.format(("%s"):rep(100), unpack((function() local t = {} for i = 1, 100 do t[i] = s end return t end)()))`, hooks.LimitMemory},
		{"quoted", `local s = ("\0"):rep(1e7) string.format("%q%q", s, s)`, hooks.LimitMemory},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := load(t, `on("stop", function(ev) `+c.body+` end)`, luabind.Environment{})
			limits := luabind.Limits{Instructions: 1_000_000, Memory: 48 << 20}
			if c.limit == hooks.LimitMemory {
				limits.Instructions = 100_000_000
			}
			out := s.Call(context.Background(), 0, sample(t, hooks.Stop), limits)
			if out.Err == nil || out.Err.Limit != c.limit {
				t.Fatalf("it ends with %v, want the limit %q", out.Err, c.limit)
			}
			if strings.HasPrefix(c.name, "gsub") { // before it is built, not when the heap has grown
				wantError(t, out.Err, hooks.KindLimit, "would have")
			}
		})
	}
}

// What used to need a stack as deep as the subject or the pattern is long.
func TestLongStringsNeedNoStack(t *testing.T) {
	passes(t, `
local long = ("a"):rep(900000)
assert(not long:find(".*b") and not long:find(".-b", 899000) and long:find("^[a]+$") and long:find("^(.-)$"))
assert(#long:match("a*") == 900000 and #long:gsub("a*", "") == 0)
for pattern, message in pairs{
  [("("):rep(2e5)] = "too many captures",
  [("[%"):rep(2e5)] = "malformed pattern",
  [("a?"):rep(2e5)] = "pattern too complex",
  [(".-"):rep(300)] = "pattern too complex",
  [("%d"):rep(2e5)] = "pattern too complex",
} do
  for _, f in ipairs{ string.find, string.match, string.gmatch, function(s, p) return s:gsub(p, "") end } do
    local ok, e = pcall(f, "aaa", pattern)
    assert(not ok and e:find(message, 1, true), e)
  end
end
assert(#("x"):gsub("x", ("%%"):rep(5e5)) == 5e5)
local escaped = ("%%"):rep(5e5)
assert(not ("%"):find(escaped))
`, sample(t, hooks.Stop))
}
