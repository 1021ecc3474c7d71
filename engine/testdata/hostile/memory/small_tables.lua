-- title: a million small tables, all kept
-- expect: limit
on("pre_tool_call", function()
  local kept = {}
  for i = 1, 1e7 do kept[i] = { x = i } end
end)
