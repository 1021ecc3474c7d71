-- title: seventeen billion bytes in one call
-- expect: limit memory
on("pre_tool_call", function() return ("x"):rep(2 ^ 34) end)
