-- title: a far slot in a table constructor
-- expect: limit memory or ok
on("pre_tool_call", function()
  local t = { [6e7] = 1 }
  return context("held")
end)
