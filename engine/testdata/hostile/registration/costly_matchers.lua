-- title: a thousand hooks whose matchers are slow for a command of ten kilobytes
-- expect: any
-- command: 10000
for i = 1, 900 do
  pcall(on, "pre_tool_call", { name = "m" .. i, match = { command = "/(x?a?){60}" .. i .. "$/" } }, function() end)
end
