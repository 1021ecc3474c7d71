-- title: one store to the last slot of an array
-- expect: limit memory or ok
on("pre_tool_call", function()
  local t = {}
  t[2 ^ 26 - 1] = 1
  return context("held")
end)
