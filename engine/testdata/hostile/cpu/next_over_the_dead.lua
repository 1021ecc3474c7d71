-- title: finding the first of many removed keys, again and again
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 1e5 do t["k" .. i] = i end
  for i = 1, 1e5 do t["k" .. i] = nil end
  t.last = 1
  for _ = 1, 1e7 do next(t) end
end)
