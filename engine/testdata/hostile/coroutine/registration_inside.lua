-- title: registering a hook from a coroutine in a run
-- expect: error
on("pre_tool_call", function()
  coroutine.wrap(function() on("pre_tool_call", function() end) end)()
end)
