-- title: brackets a million deep
-- expect: error or limit
on("pre_tool_call", function() return json.decode(("["):rep(1e6) .. ("]"):rep(1e6)) end)
