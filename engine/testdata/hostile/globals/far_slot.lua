-- title: a far slot among the globals
-- expect: limit memory or ok
-- fires: 2
on("pre_tool_call", function()
  _G[6e7] = 1
  return context("held")
end)
