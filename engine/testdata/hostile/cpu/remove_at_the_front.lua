-- title: moving a long list for every remove
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 3e5 do t[i] = i end
  while #t > 0 do table.remove(t, 1) end
end)
