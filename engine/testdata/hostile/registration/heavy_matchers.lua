-- title: matchers that are slow for a long command
-- expect: any
-- data: 1000000
for i = 1, 60 do
  pcall(on, "pre_tool_call", { name = "m" .. i, match = { command = "/(a|b|c)*" .. ("x?"):rep(200) .. i .. "$/" } }, function() end)
end
on("pre_tool_call", function() return context("held") end)
