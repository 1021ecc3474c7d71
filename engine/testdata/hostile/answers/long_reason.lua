-- title: a reason of thirty megabytes
-- expect: any
on("pre_tool_call", function() return deny(("no "):rep(1e7)) end)
