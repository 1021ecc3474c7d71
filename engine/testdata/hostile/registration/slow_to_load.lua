-- title: a chunk that takes almost all the time there is, for every state
-- expect: any
-- goroutines: 4
local n = 0
for i = 1, 1e6 do n = n + i % 7 end
on("pre_tool_call", function() return context("held") end)
