package luabind_test

import (
	"testing"

	"github.com/luahook/luahook/hooks"
)

// refusals is Lua that checks that calls fail with these words.
const refusals = `
local function refuses(words, f, ...)
  local ok, err = pcall(f, ...)
  assert(not ok, "no error, want " .. words)
  assert(tostring(err):find(words, 1, true), tostring(err) .. "; want " .. words)
end
local function list(t, n) -- the elements and nothing behind them
  local s = "" for i = 1, n or #t do s = s .. tostring(rawget(t, i)) .. " " end
  return s
end
`

func TestTableInsertAndRemove(t *testing.T) {
	passes(t, refusals+`
local t = {}
table.insert(t, "b") table.insert(t, 1, "a") table.insert(t, 3, "d") table.insert(t, 3, "c")
assert(list(t) == "a b c d " and #t == 4)
table.insert(t, nil) assert(#t == 4)
table.insert(t, 2, nil) assert(t[2] == nil and t[3] == "b" and t[5] == "d" and #t == 5)
assert(table.remove(t, 2) == nil and list(t) == "a b c d ")
assert(table.remove(t) == "d" and table.remove(t, 1) == "a" and list(t) == "b c ")
assert(table.remove(t, 3) == nil and table.remove(t, 0) == nil and table.remove(t, -1) == nil and #t == 2)
assert(table.remove(t, "2") == "c" and table.remove(t, 1.9) == "b" and table.remove(t) == nil and #t == 0)

-- far ahead of the end there are holes; before the first all moves up
t = { 1 } table.insert(t, 10, "x") assert(t[10] == "x" and t[2] == nil and rawget(t, 9) == nil)
t = { 1, 2, 3 } table.insert(t, 0, "x") assert(t[0] == "x" and t[1] == nil and t[2] == 1 and t[4] == 3)
t = { [0] = "z", [-1] = "y", 1 } table.insert(t, -1, "x")
assert(t[-1] == "x" and t[0] == "y" and t[1] == "z" and t[2] == 1)

-- after elements were set to nil
t = {} for i = 1, 100 do t[i] = i end for i = 100, 11, -1 do t[i] = nil end
table.insert(t, 11) table.insert(t, 5, "x") assert(#t == 12 and t[5] == "x" and t[12] == 11)
assert(table.remove(t, 5) == "x" and table.remove(t) == 11 and #t == 10 and table.remove(t, 1) == 1 and t[9] == 10)

-- the rest of the table stays, metamethods aren't asked
t = setmetatable({ n = 7, [-1] = "m" }, { __index = error, __newindex = error })
table.insert(t, "a") assert(table.remove(t) == "a" and t.n == 7 and t[-1] == "m")

for _, f in ipairs{ table.insert, table.remove, table.sort } do refuses("table is read-only (table.", f, table, 1) end
refuses("wrong number of arguments to 'insert'", table.insert, {})
refuses("wrong number of arguments to 'insert'", table.insert, {}, 1, 2, 3)
refuses("bad argument #2 to 'insert' (number expected, got string)", table.insert, {}, "x", 2)
refuses("bad argument #1 to 'insert' (table expected, got nil)", table.insert, nil, 1)
refuses("bad argument #1 to 'remove' (table expected, got ev)", table.remove, ev)
refuses("bad argument #2 to 'remove' (number expected, got boolean)", table.remove, { 1 }, true)
`, sample(t, hooks.Stop))
}

func TestTableConcat(t *testing.T) {
	passes(t, refusals+`
local t = { "a", 2, 3.5, "", "e" }
for _, case in ipairs{
  { "a23.5e", table.concat(t) },
  { "a, 2, 3.5, , e", table.concat(t, ", ") },
  { "2-3.5-", table.concat(t, "-", 2, 4) },
  { "3.5", table.concat(t, "-", 3, 3) },
  { "", table.concat(t, "-", 4, 3) }, { "", table.concat({}) }, { "", table.concat({}, "x", 1, 0) },
  { "a020304", table.concat({ "a", 2, 3, 4 }, 0) },
  { "e", table.concat(t, nil, 5) }, { "a2", table.concat(t, "", "1", "2") },
  { "yzab", table.concat({ [-1] = "y", [0] = "z", "a", "b" }, "", -1) },
} do assert(case[1] == case[2], case[2]) end
for _, n in ipairs{ 0, -1, 99, 100, 1e15, 2^53, 1e100, -1e100, 0.1, 1/3, -1.5e-10, 1/0, -1/0, 1234567.5, 2^63, -2^63 } do
  assert(table.concat({ n }) == tostring(n) and table.concat{ n } == "" .. n, n)
end
local ids = probe.give('[12345678901234567890, "x"]')
assert(table.concat(ids, " ") == "12345678901234567890 x")

refuses("invalid value (nil) at index 2 in table for 'concat'", table.concat, { 1, nil, 3 })
refuses("invalid value (nil) at index 1 in table for 'concat'", table.concat, {}, "", 1, 1e9)
refuses("invalid value (nil) at index -2 in table for 'concat'", table.concat, { 1 }, "", -2)
refuses("invalid value (table) at index 1 in table for 'concat'", table.concat, { {} })
refuses("invalid value (boolean) at index 2 in table for 'concat'", table.concat, { 1, true })
refuses("bad argument #2 to 'concat' (string expected, got table)", table.concat, {}, {})
refuses("bad argument #3 to 'concat' (number expected, got string)", table.concat, {}, "", "x")
refuses("bad argument #1 to 'concat' (table expected, got string)", table.concat, "x")
`, sample(t, hooks.Stop))
}

func TestTableLengths(t *testing.T) {
	passes(t, refusals+`
for i = 0, 40 do
  local t = {} for j = 1, i do t[j] = j end
  assert(table.getn(t) == i and table.maxn(t) == i)
end
assert(table.getn{ 1, 2, 3, nil, nil } == 3 and table.getn{ [-1] = 2 } == 0)
assert(table.maxn{} == 0 and table.maxn{ ["1000"] = true } == 0 and table.maxn{ x = 1, [24.5] = 3 } == 24.5)
assert(table.maxn{ [-5] = 1, [0] = 2 } == 0 and table.maxn{ 1, 2, [1000] = true } == 1000)
assert(table.maxn{ 1, [100 * math.pi] = print, [3.5] = 1, [2^40] = 1 } == 2^40 and table.maxn{ 1, [0.5] = 1 } == 1)
local t = { [10.5] = 1, [7.5] = 2 } t[10.5] = nil assert(table.maxn(t) == 7.5)
assert(table.maxn(string) == 0 and table.getn(string) == 0)
refuses("bad argument #1 to 'maxn' (table expected, got no value)", table.maxn)
refuses("bad argument #1 to 'getn' (table expected, got number)", table.getn, 1)
`, sample(t, hooks.Stop))
}
