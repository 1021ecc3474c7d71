-- title: eight million open brackets
-- expect: error or limit
on("pre_tool_call", function() return json.decode(("{\"a\":"):rep(1.5e6)) end)
