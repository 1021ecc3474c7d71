-- title: ten million parts
-- expect: limit
on("pre_tool_call", function() return #text.split(("a,"):rep(1e7), ",") end)
