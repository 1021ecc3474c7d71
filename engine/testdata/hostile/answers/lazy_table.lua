-- title: an answer whose fields are made up when they are read
-- expect: error
on("pre_tool_call", function()
  return setmetatable({}, { __index = function() while true do end end })
end)
