-- title: registering a hook while one runs
-- expect: error
-- says: only while the script loads
on("pre_tool_call", function() on("pre_tool_call", function() end) end)
