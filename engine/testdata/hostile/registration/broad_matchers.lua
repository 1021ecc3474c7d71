-- title: thousands of fields to match, over a command of ten kilobytes
-- expect: any
-- command: 10000
for i = 1, 900 do
  pcall(on, "pre_tool_call", { name = "m" .. i, match = { command = "/([a-z]|a|[^b]|.){1,40}.*" .. i .. "b$/", name = "/(b|a|s|h)*$/", kind = "shell" } }, function() end)
end
