-- title: joining joins
-- expect: limit stack
on("pre_tool_call", function()
  local a = setmetatable({}, { __concat = function(x, y) return (x .. y) .. "" end })
  return a .. "x" .. a
end)
