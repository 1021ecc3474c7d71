-- title: building large answers without returning them
-- expect: limit
on("pre_tool_call", function()
  local t, kept = {}, {}
  for i = 1, 2000 do t[i] = { tostring(i) } end
  while true do kept[#kept + 1] = output(t) end
end)
