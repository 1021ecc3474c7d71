-- title: a width that is an argument
-- expect: error
on("pre_tool_call", function() return string.format("%*d", 1e9, 1) end)
