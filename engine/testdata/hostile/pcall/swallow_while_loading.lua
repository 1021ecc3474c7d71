-- title: a chunk that catches its own end
-- expect: limit
pcall(function() while true do end end)
on("pre_tool_call", function() return context("held") end)
