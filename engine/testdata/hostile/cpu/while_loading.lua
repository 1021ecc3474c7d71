-- title: the chunk itself never ends
-- expect: limit instructions
-- says: loading
on("pre_tool_call", function() end)
repeat until false
