-- title: a thousand hooks with a name of a hundred kilobytes each
-- expect: any
for i = 1, 900 do on("pre_tool_call", { name = ("n"):rep(1e5) .. i, on_failure = "warn" }, function() error("x") end) end
