-- title: globs with wide classes, in which case is ignored anyway
-- expect: load error or limit
for i = 1, 1000 do pcall(on, "pre_tool_call", { match = ("x[B-😀]"):rep(6) .. i .. "*" }, function() return deny() end) end
