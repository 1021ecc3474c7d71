-- title: catching the end of the instructions, for ever
-- expect: limit instructions
on("pre_tool_call", function()
  while true do pcall(function() while true do end end) end
end)
