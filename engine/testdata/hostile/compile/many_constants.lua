-- title: tens of thousands of constants, each compared with all before it
-- expect: load error or ok
local t = { {{repeat 60000 "%d.5,"}} }
on("pre_tool_call", function() return context("held") end)
