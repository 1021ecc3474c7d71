-- title: one megabyte, a hundred thousand times in a list
-- expect: limit
on("pre_tool_call", function()
  local t, s = {}, ("x"):rep(2 ^ 20)
  for i = 1, 1e5 do t[i] = s end
  return table.concat(t)
end)
