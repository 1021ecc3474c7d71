-- title: wide classes where case is ignored, each pattern another one
-- expect: limit
on("pre_tool_call", function()
  for i = 1, 1e5 do re.compile("(?i)[B-😀][C-😀][D-😀]" .. i) end
end)
