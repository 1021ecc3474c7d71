-- title: registering by a function that was kept from loading
-- expect: error
-- fires: 2
local register = on
on("pre_tool_call", function() coroutine.wrap(register)("stop", function() end) end)
