-- title: recursion with thousands of values in every frame
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 4000 do t[i] = i end
  local function down(...) return (down(...)), ... end
  return down(unpack(t))
end)
