-- title: eight million open parentheses
-- expect: limit or error
on("pre_tool_call", function() return ("x"):find(("("):rep(8e6)) end)
