-- title: catching the end of the memory and returning nothing
-- expect: limit memory
on("pre_tool_call", function() pcall(string.rep, "x", 2 ^ 40) end)
