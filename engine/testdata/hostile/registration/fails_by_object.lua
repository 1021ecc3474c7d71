-- title: failing to load with an object that can't be shown
-- expect: load error
on("pre_tool_call", function() return allow("all of it") end)
error(setmetatable({}, { __tostring = function() error("no") end, __index = function() while true do end end }))
