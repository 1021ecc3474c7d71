-- title: a library that doesn't compile, without end
-- expect: limit
on("pre_tool_call", function()
  while true do pcall(require, "broken") end
end)
