-- title: more parameters than a byte counts
-- expect: load error
local function f({{repeat 300 "p%d, "}} z) return z end
on("pre_tool_call", function() return context("held") end)
