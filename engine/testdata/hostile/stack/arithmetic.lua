-- title: adding adds
-- expect: limit stack
on("pre_tool_call", function()
  local meta = {}
  local a = setmetatable({}, meta)
  meta.__add = function(x, y) return (x + y) end
  meta.__unm = meta.__add
  return a + 1
end)
