-- title: lengths that wrap around when they are multiplied
-- expect: limit memory
on("pre_tool_call", function()
  local s = ("x"):rep(2 ^ 20)
  return s:rep(2 ^ 44 + 1)
end)
