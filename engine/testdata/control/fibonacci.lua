-- title: recursion with a memo, and without
-- event: pre_tool_call
-- want: {"data": {"memo": 832040, "plain": 10946, "same": true}}
local known = {}
local function fib(n)
  if n < 2 then return n end
  known[n] = known[n] or fib(n - 1) + fib(n - 2)
  return known[n]
end
local function plain(n) return n < 2 and n or plain(n - 1) + plain(n - 2) end
on("pre_tool_call", function()
  return { data = { memo = fib(30), plain = plain(21), same = fib(21) == plain(21) } }
end)
