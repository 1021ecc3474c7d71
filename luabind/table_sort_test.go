package luabind_test

import (
	"testing"

	"github.com/luahook/luahook/hooks"
)

func TestTableSort(t *testing.T) {
	passes(t, refusals+`
local function sorted(t, less)
  less = less or function(a, b) return a < b end
  for i = #t, 2, -1 do assert(not less(t[i], t[i - 1]), i) end
end
local seed = 42
local function random() seed = (seed * 16807) % 2147483647 return seed end

for _, n in ipairs{ 0, 1, 2, 3, 7, 8, 9, 16, 17, 100, 1000, 3001 } do
  local t, sum = {}, 0
  for i = 1, n do t[i] = random() sum = sum + t[i] end
  table.sort(t) sorted(t)
  local calls = 0
  table.sort(t, function(a, b) calls = calls + 1 return b < a end)
  sorted(t, function(a, b) return b < a end)
  assert(calls <= 20 * n)
  for i = 1, n do sum = sum - t[i] end
  assert(sum == 0 and #t == n)
  table.sort(t) sorted(t)
  calls = 0 table.sort(t, function(a, b) calls = calls + 1 return a < b end)
  assert(calls <= 2 * n, "a sorted list takes few comparisons")
end

local words = { "b", "", "a\0z", "a", "ab", "B", "ä", "a\0a" }
table.sort(words) assert(table.concat(words, "|") == "|B|a|a\0a|a\0z|ab|b|ä")

-- equal elements keep their order
local t = {} for i = 1, 200 do t[i] = { key = i % 7, at = i } end
table.sort(t, function(a, b) return a.key < b.key end)
for i = 2, 200 do assert(t[i-1].key < t[i].key or (t[i-1].key == t[i].key and t[i-1].at < t[i].at)) end

-- __lt
local meta = { __lt = function(a, b) return a.key < b.key end }
for _, e in ipairs(t) do setmetatable(e, meta) end
table.sort(t, function(a, b) return b < a end) sorted(t, function(a, b) return b < a end)
table.sort(t) sorted(t)

-- only the list part, and no metamethods
t = setmetatable({ 3, 1, 2, n = "x", [-1] = "y" }, { __index = error, __newindex = error })
table.sort(t) assert(list(t) == "1 2 3 " and t.n == "x" and t[-1] == "y")
table.sort(t, nil) assert(list(t) == "1 2 3 ")

-- order functions that make no sense give some order, with every element in it
for _, less in ipairs{
  function() return true end, function() return false end, function() return nil end, rawequal,
  function(a, b) return a <= b end, function() return random() % 2 == 0 end,
} do
  local t, seen = {}, {} for i = 1, 100 do t[i] = i end
  local ok, err = pcall(table.sort, t, less)
  assert(ok or err:find("invalid order function for sorting", 1, true), err)
  for _, v in ipairs(t) do assert(not seen[v]) seen[v] = true end
  assert(#t == 100 and #seen == 100)
end
local nan = { 3, 0 / 0, 1, 0 / 0, 2 } table.sort(nan) assert(#nan == 5)

-- one that fails leaves the list as it was; one that changes it doesn't matter
t = { 3, 1, 2 }
refuses("no order", table.sort, t, function() error("no order") end) assert(list(t) == "3 1 2 ")
table.sort(t, function(a, b) for i = #t, 1, -1 do table.remove(t) end return a < b end) assert(list(t) == "1 2 3 ")
table.sort(t, function(a, b) table.sort(t) t[#t + 1] = 0 return b < a end) assert(t[1] == 3 and t[3] == 1)

refuses("attempt to compare two table values", table.sort, { {}, {} })
refuses("attempt to compare two boolean values", table.sort, { true, false })
refuses("attempt to compare two table values", table.sort, { setmetatable({}, { __lt = rawequal }), {} })
local ok, err = pcall(table.sort, { 1, nil, 3 })
assert(err:find("attempt to compare nil with number", 1, true) or err:find("attempt to compare number with nil", 1, true), err)
ok, err = pcall(table.sort, { 1, "x" }) assert(err:find("attempt to compare string with number", 1, true), err)
refuses("bad argument #2 to 'sort' (function expected, got number)", table.sort, {}, 1)
refuses("bad argument #1 to 'sort' (table expected, got nil)", table.sort, nil)
`, sample(t, hooks.Stop))
}
