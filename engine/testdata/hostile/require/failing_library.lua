-- title: a library that fails each time, without end
-- expect: limit
on("pre_tool_call", function()
  while true do pcall(require, "failing") end
end)
