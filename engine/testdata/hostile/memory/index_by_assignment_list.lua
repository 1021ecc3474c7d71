-- title: far slots in an assignment to several places
-- expect: limit memory or ok
on("pre_tool_call", function()
  local a, b, k = {}, {}, 6.4e7
  a.x, b[k], a[k - 1] = 1, 2, 3
  return context("held")
end)
