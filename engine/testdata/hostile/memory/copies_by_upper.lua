-- title: a copy of eight megabytes for every call
-- expect: limit
on("pre_tool_call", function()
  local kept, s = {}, ("a"):rep(2 ^ 23)
  for i = 1, 1e5 do kept[i] = i % 2 == 0 and s:upper() or s:reverse() end
end)
