-- title: a number of two hundred thousand digits
-- expect: load error or ok
local x = {{repeat 200000 "7"}}
on("pre_tool_call", function() return context("held") end)
