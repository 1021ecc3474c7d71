-- title: returning thousands of values
-- expect: load error
on("pre_tool_call", function() return {{repeat 3000 "1, "}} 1 end)
