-- title: a list that is filled and emptied without end
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  while true do
    for i = 1, 1000 do t[#t + 1] = i end
    for _ = 1, 1000 do table.remove(t) end
    t[60000] = 1
    t[60000] = nil
  end
end)
