-- title: a far slot through table.insert
-- expect: limit memory or ok or error
on("pre_tool_call", function()
  local t = {}
  table.insert(t, 6.2e7, 1)
  return context("held")
end)
