-- title: a loop without an end
-- expect: limit instructions
on("pre_tool_call", function()
  local n = 0
  while true do n = n + 1 end
end)
