-- title: four million parts
-- expect: limit
on("pre_tool_call", function() return #re.split(("a,"):rep(4e6), ",") end)
