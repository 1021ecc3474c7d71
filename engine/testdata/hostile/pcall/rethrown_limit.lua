-- title: the message of a limit, raised again as one's own
-- expect: error
on("pre_tool_call", function() error("it used up its 5,000,000 instructions", 0) end)
