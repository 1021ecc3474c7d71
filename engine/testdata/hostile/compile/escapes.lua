-- title: escapes that name no byte
-- expect: load error or ok
local x = "\300\999\256{{repeat 100 "\\999"}}"
on("pre_tool_call", function() return context("held") end)
