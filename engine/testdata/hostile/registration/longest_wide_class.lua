-- title: a matcher of nothing but wide classes
-- expect: load error
-- says: takes too long to read
on("pre_tool_call", { match = { command = "/" .. ("[B-😀]"):rep(490) .. "/" } }, function() return deny() end)
