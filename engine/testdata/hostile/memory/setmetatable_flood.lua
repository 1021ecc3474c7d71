-- title: objects with metatables, methods and closures of their own
-- expect: limit
on("pre_tool_call", function()
  local kept = {}
  for i = 1, 1e7 do
    local o = setmetatable({}, { __index = { get = function() return i end } })
    kept[#kept + 1] = o
  end
end)
