-- title: an error object that fails when it is shown
-- expect: error
on("pre_tool_call", function()
  error(setmetatable({}, { __tostring = function() while true do end end, __index = function() error("again") end }))
end)
