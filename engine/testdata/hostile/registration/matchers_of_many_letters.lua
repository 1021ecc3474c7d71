-- title: a thousand matchers that count letters of all alphabets
-- expect: any
for i = 1, 900 do
  pcall(on, "pre_tool_call", { name = "m" .. i, match = { command = "/^(\\pL{90}){9}" .. i .. "$/" } }, function() end)
end
