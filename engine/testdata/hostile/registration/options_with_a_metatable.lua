-- title: options that are made up when they are read
-- expect: any
on("pre_tool_call", setmetatable({}, { __index = function() while true do end end, __pairs = error }), function() return context("held") end)
