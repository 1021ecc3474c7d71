-- title: two thousand hooks for one event, each with a little work
-- expect: any
for i = 1, 2000 do
  on("pre_tool_call", { name = "hook" .. i, priority = i }, function() return context("held") end)
end
