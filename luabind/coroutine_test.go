package luabind_test

import (
	"context"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func TestCoroutines(t *testing.T) {
	for _, body := range []string{
		`local co = coroutine.create(function(a, b) assert(a == 1 and b == 2) local c = coroutine.yield(a + b) assert(c == "c") return "end", nil, 3 end)
assert(coroutine.status(co) == "suspended")
local ok, sum = coroutine.resume(co, 1, 2) assert(ok and sum == 3 and coroutine.status(co) == "suspended")
assert(select("#", coroutine.resume(co, "c")) == 4 and coroutine.status(co) == "dead")
local ok, why = coroutine.resume(co) assert(not ok and why == "cannot resume dead coroutine")`,
		`local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i, i * i) end end)
local sum = 0 for i, sq in gen do sum = sum + sq end assert(sum == 14)
local ok, e = pcall(gen) assert(not ok and e:find("cannot resume dead coroutine", 1, true), e)`,
		`local outer outer = coroutine.create(function()
  assert(coroutine.running() == outer and coroutine.status(outer) == "running")
  coroutine.wrap(function() assert(coroutine.status(outer) == "normal")
    local ok, why = coroutine.resume(outer) assert(not ok and why == "cannot resume non-suspended coroutine") end)()
  local ok, why = coroutine.resume(outer) assert(not ok and why == "cannot resume non-suspended coroutine")
end)
local ok, e = coroutine.resume(outer) assert(ok, e) assert(coroutine.running() == nil)`,
		`local ok, e = coroutine.resume(coroutine.create(function() error({ 7 }) end)) assert(not ok and e[1] == 7)`,
		`local ok, e = pcall(coroutine.wrap(function() error("in", 0) end)) assert(e == "in")`,
		`local ok, e = pcall(coroutine.create, print) assert(e:find("Lua function expected", 1, true))`,
		// A yield goes to the resume that is nearest, through Lua only.
		`for _, across in ipairs{
  function() table.sort({ 1, 2, 3 }, function() coroutine.yield() end) end,
  function() ("abc"):gsub(".", function() coroutine.yield() end) end,
  function() return setmetatable({}, { __index = function() coroutine.yield() end }).x end,
  function() return setmetatable({}, { __add = function() coroutine.yield() end }) + 1 end,
  function() tostring(setmetatable({}, { __tostring = function() coroutine.yield() end })) end,
  function() for _ in function() coroutine.yield() end do end end,
  function() assert(pcall(function() coroutine.yield() end)) end,
  function() local ok, e = pcall(coroutine.yield) error(e) end,
} do
  local ok, e = coroutine.resume(coroutine.create(across))
  assert(not ok and tostring(e):find("attempt to yield across metamethod/C-call boundary", 1, true), tostring(e))
end`,
		`local ok, e = pcall(coroutine.yield) assert(e == "attempt to yield from outside a coroutine", e)`,
		// Deep nesting and great numbers are refused, and nothing is lost by that.
		`local deepest = 0
local function nest(n) deepest = n local ok, e = coroutine.resume(coroutine.create(nest), n + 1) if not ok then assert(e == "coroutines resume one another too deep", e) end end
nest(0) assert(deepest == 16, deepest)`,
		`local kept = {} local ok, e
for i = 1, 300 do ok, kept[i] = pcall(coroutine.create, function() coroutine.yield() end) if not ok then e = kept[i] break end end
assert(#kept == 257 and e:find("there are 256 coroutines that haven't ended", 1, true), e)
for i = 1, 256 do coroutine.resume(kept[i]) coroutine.resume(kept[i]) end
assert(pcall(coroutine.create, function() end))`,
		// Each waits for the other to come back.
		`local a, b a = coroutine.create(function() return coroutine.resume(b) end) b = coroutine.create(function() return coroutine.resume(a) end)
local ok, _, inner, why = coroutine.resume(a) assert(ok and inner == false and why == "cannot resume non-suspended coroutine", tostring(why))`,
	} {
		passes(t, body, shellCall(t))
	}
}

func TestCoroutinesOfAnEarlierRun(t *testing.T) {
	s := load(t, `
local made, old = coroutine.wrap(function() for i = 1, 9 do coroutine.yield(i) end end), nil
on("stop", function()
  local n = made()
  if n == 1 then old = coroutine.create(function() coroutine.yield() end) assert(coroutine.resume(old)) end
  if n == 2 then
    local ok, why = coroutine.resume(old)
    assert(not ok and why == "cannot resume a coroutine of an earlier run" and coroutine.status(old) == "dead")
  end
  for i = 1, 200 do coroutine.create(function() end) end
  return context(tostring(n))
end)`, luabind.Environment{})
	for _, want := range []string{"1", "2", "3"} {
		out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{})
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		equal(t, "the generator that was made while loading", out.Result.NewContext, want)
	}
}

func TestCoroutinesAreCharged(t *testing.T) {
	s := load(t, `on("stop", function() while true do coroutine.wrap(function() end)() end end)`, luabind.Environment{})
	stopped(t, s, s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{Memory: 1 << 20}), hooks.LimitMemory, file+":1", "more than its 1 MiB of memory (raise limits.memory to give it more)")
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
