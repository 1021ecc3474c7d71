-- title: all matches of everything in eight megabytes
-- expect: limit
on("pre_tool_call", function() return #re.find_all(("a"):rep(2 ^ 23), ".") end)
