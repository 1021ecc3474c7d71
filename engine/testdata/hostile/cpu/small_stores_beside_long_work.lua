-- title: long comparisons, with a small store between any two looks at the clock
-- expect: limit
on("pre_tool_call", function()
  local a, b = ("q"):rep(3.5e6), ("q"):rep(3.5e6)
  local t, n = {}, 0
  while true do
    n = n + 1
    t[n] = a == b
    local _ = a == b
  end
end)
