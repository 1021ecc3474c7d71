-- title: a loop variable as a far slot
-- expect: limit memory or ok
on("pre_tool_call", function()
  local t = {}
  for i = 6.5e7, 6.5e7 do t[i] = i end
  return context("held")
end)
