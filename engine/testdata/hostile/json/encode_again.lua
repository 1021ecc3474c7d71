-- title: encoding ninety thousand values, for ever
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 9e4 do t[i] = i % 2 == 0 and "x" or i end
  while true do json.encode(t, { indent = true }) end
end)
