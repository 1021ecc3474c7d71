-- title: keys that are set and removed, of which the table keeps the memory
-- expect: limit
on("pre_tool_call", function()
  local t, n = {}, 0
  while true do
    n = n + 1
    t[-n] = 1
    t[-n] = nil
  end
end)
