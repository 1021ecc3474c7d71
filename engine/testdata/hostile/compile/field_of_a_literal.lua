-- title: assigning to the field of a literal
-- expect: load error or error
local kept = "untouched"
on("pre_tool_call", function(ev)
  local first = "first"
  ("").x = 1
  (5).y = 2
  return context("held")
end)
