-- title: jumps and labels in all functions that a source may have
-- expect: any
on("pre_tool_call", function() return context("held") end)
{{repeat 700 "f = function() goto a ::b:: goto c ::a:: goto b ::c:: end\n"}}
