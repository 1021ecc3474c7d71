-- title: a pattern of eight megabytes
-- expect: error or limit
on("pre_tool_call", function() return re.match("x", ("a|"):rep(4e6)) end)
