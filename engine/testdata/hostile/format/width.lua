-- title: a width of a million
-- expect: error
-- says: invalid
on("pre_tool_call", function() return string.format("%1000000d", 1) end)
