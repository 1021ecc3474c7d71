-- title: a thousand globs of stars
-- expect: any
-- command: 10000
for i = 1, 900 do
  pcall(on, "pre_tool_call", { name = "m" .. i, match = { command = ("*a"):rep(40) .. i, path = ("**/*a"):rep(20) } }, function() end)
end
