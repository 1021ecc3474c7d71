-- title: a list that grows in front of ipairs
-- expect: limit
on("pre_tool_call", function()
  local t = { 1 }
  for i in ipairs(t) do t[i + 1] = true end
end)
