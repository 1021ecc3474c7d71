-- title: a separator of a megabyte between a hundred thousand items
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 1e5 do t[i] = "" end
  return table.concat(t, ("-"):rep(2 ^ 20))
end)
