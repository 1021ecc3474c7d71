-- title: tens of thousands of globals
-- expect: load error or ok
{{repeat 30000 "g%d=1 "}}
on("pre_tool_call", function() return context("held") end)
