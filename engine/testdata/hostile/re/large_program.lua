-- title: repetitions of repetitions of repetitions
-- expect: error
on("pre_tool_call", function() return re.match("x", "((((x{30}){30}){30}){30})") end)
