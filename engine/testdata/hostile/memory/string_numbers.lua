-- title: text of numbers as keys and values
-- expect: limit
on("pre_tool_call", function()
  local t, n = {}, 0.5
  while true do
    n = n + 1
    t[tostring(n)] = string.format("%.20f", n)
  end
end)
