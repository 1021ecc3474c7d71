-- title: a repetition of a repetition
-- expect: limit memory
on("pre_tool_call", function() return ("x"):rep(2 ^ 20):rep(2 ^ 14) end)
