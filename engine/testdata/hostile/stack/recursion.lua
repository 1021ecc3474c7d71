-- title: a function that calls itself for ever
-- expect: limit stack
-- says: too deep
on("pre_tool_call", function()
  local function down(n) return 1 + down(n + 1) end
  return down(0)
end)
