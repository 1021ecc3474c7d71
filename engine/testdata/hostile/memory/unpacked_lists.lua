-- title: a list unpacked into another, again and again
-- expect: limit
on("pre_tool_call", function()
  local t, kept = {}, {}
  for i = 1, 7000 do t[i] = i end
  for i = 1, 1e6 do kept[i] = { unpack(t) } end
end)
