-- title: thirty million empty lines
-- expect: limit
on("pre_tool_call", function() return #text.lines(("\n"):rep(3e7)) end)
