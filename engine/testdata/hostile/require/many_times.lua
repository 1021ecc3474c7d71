-- title: requiring what is there, without end
-- expect: limit
on("pre_tool_call", function()
  while true do require("counter"); require("string") end
end)
