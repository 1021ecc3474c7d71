-- title: registering something else each time it is loaded
-- expect: any
-- goroutines: 8
-- fires: 10
on("pre_tool_call", { name = "n" .. math.random(1000) }, function() return context("held") end)
