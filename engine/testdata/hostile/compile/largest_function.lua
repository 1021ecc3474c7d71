-- title: one function as long as it may be
-- expect: any
on("pre_tool_call", function()
  local a, b, c = 1, 2, 3
  {{repeat 12000 "a=b+c*a "}}
  return context("held")
end)
