-- title: a loop with nothing in it, one instruction a turn
-- expect: limit instructions
on("pre_tool_call", function()
  for _ = 1, 1e300 do end
end)
