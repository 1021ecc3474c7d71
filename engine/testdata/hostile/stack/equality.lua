-- title: being equal asks whether it is equal
-- expect: limit stack
on("pre_tool_call", function()
  local meta = {}
  meta.__eq = function(x, y) return not (y == x) end
  local a, b = setmetatable({}, meta), setmetatable({}, meta)
  return a == b
end)
