-- title: leaving a loop where there is none
-- expect: load error
on("pre_tool_call", function() break end)
