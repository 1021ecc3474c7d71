-- title: thousands of jumps to thousands of labels
-- expect: load error or ok
on("pre_tool_call", function()
{{repeat 10000 "goto l%d ::l%d:: "}}
return context("held")
end)
