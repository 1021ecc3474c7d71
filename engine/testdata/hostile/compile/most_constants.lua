-- title: one function with as many constants as it may have
-- expect: any
on("pre_tool_call", function()
  local a
  {{repeat 7500 "a='k%d' "}}
  return context("held")
end)
