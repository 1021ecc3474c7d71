-- title: numbers that are no array's index
-- expect: limit
on("pre_tool_call", function()
  local t, n = {}, 0
  while true do
    n = n + 1
    t[n + 0.5], t[-n] = n, n
  end
end)
