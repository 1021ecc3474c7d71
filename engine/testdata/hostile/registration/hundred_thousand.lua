-- title: registering without end
-- expect: limit or load error
while true do on("pre_tool_call", function() end) end
