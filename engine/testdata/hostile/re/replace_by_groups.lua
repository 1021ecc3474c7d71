-- title: a group that is repeated ten thousand times
-- expect: limit or error
on("pre_tool_call", function() return re.replace(("a"):rep(1e5), "(.+)", ("$1"):rep(1e4)) end)
