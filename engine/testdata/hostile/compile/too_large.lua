-- title: a source of twenty megabytes
-- expect: load error
-- {{repeat 20000000 "x"}}
on("pre_tool_call", function() end)
