-- title: registering, and then failing to load
-- expect: load error
on("pre_tool_call", function() return allow("all of it") end)
error("after that")
