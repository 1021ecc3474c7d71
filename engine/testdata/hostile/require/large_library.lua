-- title: a library that doubles a string
-- expect: limit memory
on("pre_tool_call", function() return require("doubling") end)
