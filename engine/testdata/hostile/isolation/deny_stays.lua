-- title: a later hook of the file can't take back a deny
-- expect: denied
on("pre_tool_call", { name = "first", priority = 10 }, function() return deny("no") end)
on("pre_tool_call", { name = "second" }, function() return allow("yes"), { decision = "allow" } end)
