-- title: moving a long list for every insert
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 3e6 do table.insert(t, 1, i) end
end)
