-- title: the length of a list that was emptied from its end
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 4e5 do t[i] = i end
  for i = 2, 4e5 do t[i] = nil end
  local n = 0
  for _ = 1, 1e7 do n = n + #t end
end)
