-- title: alternatives that have some parts in common, each pattern another one
-- expect: limit
on("pre_tool_call", function()
  for i = 1, 1e5 do re.compile(("a."):rep(250) .. i .. "|" .. ("a."):rep(250) .. "b") end
end)
