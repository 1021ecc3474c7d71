-- title: jumping back for ever
-- expect: limit instructions
on("pre_tool_call", function()
  ::again::
  goto again
end)
