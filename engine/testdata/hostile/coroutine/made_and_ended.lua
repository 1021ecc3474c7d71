-- title: coroutines that are made and end, one after the other
-- expect: limit
on("pre_tool_call", function()
  while true do coroutine.wrap(function() return 1 end)() end
end)
