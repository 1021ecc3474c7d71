-- title: thousands of jumps to labels that come at the end
-- expect: load error
on("pre_tool_call", function()
{{repeat 9000 "goto l%d "}}
{{repeat 9000 "::l%d:: "}}
end)
