-- title: yielding where nothing was resumed
-- expect: error
on("pre_tool_call", function() coroutine.yield(allow()) end)
