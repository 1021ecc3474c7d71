-- title: answers as text
-- expect: limit
on("pre_tool_call", function()
  local a, kept = deny(("\1"):rep(1000)), {}
  for i = 1, 1e5 do kept[i] = tostring(a) end
end)
