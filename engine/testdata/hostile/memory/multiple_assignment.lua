-- title: stores to many places at once, each a new key
-- expect: limit
on("pre_tool_call", function()
  local t, n = {}, 0
  while true do
    t[n], t[-n], t[n / 3], t["k" .. n], t[n + 2 ^ 30] = n, n, n, n, n
    n = n + 1
  end
end)
