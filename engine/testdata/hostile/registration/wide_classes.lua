-- title: matchers with wide classes, in which case is ignored anyway
-- expect: load error or limit
for i = 1, 1000 do pcall(on, "pre_tool_call", { match = { command = "/[B-😀][C-😀][D-😀]" .. i .. "/" } }, function() return deny() end) end
