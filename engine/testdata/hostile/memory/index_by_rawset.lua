-- title: a far slot through rawset
-- expect: limit memory or ok
on("pre_tool_call", function()
  rawset({}, 6.1e7, 1)
  return context("held")
end)
