-- title: thousands of parentheses
-- expect: error or limit
on("pre_tool_call", function() return re.match("x", ("("):rep(4900) .. "x" .. (")"):rep(4900)) end)
