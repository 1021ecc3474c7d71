-- title: a library's state in each run
-- expect: ok
-- fires: 3
on("pre_tool_call", function()
  local counter = require("counter")
  counter.n = counter.n + 1
  assert(counter == require("counter") and counter.n == 1, counter.n)
  return context("held")
end)
