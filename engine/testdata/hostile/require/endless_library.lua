-- title: a library that never ends, in a protected call
-- expect: limit instructions
on("pre_tool_call", function()
  while true do pcall(require, "endless") end
end)
