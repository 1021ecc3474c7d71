-- title: a hook that uses up all it has leaves the next one of the file its own
-- expect: held
on("pre_tool_call", { name = "greedy", priority = 5, on_failure = "ignore" }, function() local s = "x" while true do s = s .. s end end)
on("pre_tool_call", { name = "modest", priority = 1, on_failure = "ignore" }, function()
  local s = ("x"):rep(1e6)
  assert(#s == 1e6)
  return context("held")
end)
