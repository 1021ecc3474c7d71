-- title: a far slot of a table behind another
-- expect: limit memory or ok
on("pre_tool_call", function()
  local t = setmetatable({}, { __newindex = setmetatable({}, { __newindex = {} }) })
  t[6.3e7] = 1
  return context("held")
end)
