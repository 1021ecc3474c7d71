-- title: a chunk that yields
-- expect: load error
on("pre_tool_call", function() end)
coroutine.yield("x")
