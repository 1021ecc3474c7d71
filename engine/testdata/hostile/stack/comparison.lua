-- title: comparing compares
-- expect: limit stack
on("pre_tool_call", function()
  local meta = {}
  local a, b = setmetatable({}, meta), setmetatable({}, meta)
  meta.__lt = function(x, y) return not (y < x) end
  meta.__eq = function(x, y) return not (y == x) end
  return a < b
end)
