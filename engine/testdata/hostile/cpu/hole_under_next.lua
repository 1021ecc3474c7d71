-- title: next across a hole of a million slots
-- expect: limit
on("pre_tool_call", function()
  local t = { 1 }
  for i = 2, 5e5 do t[i] = i end
  for i = 2, 5e5 do t[i] = nil end
  t.z = 1
  for _ = 1, 1e7 do next(t, 1) end
end)
