-- title: showing a value shows the value
-- expect: limit stack
on("pre_tool_call", function()
  local a = setmetatable({}, { __tostring = function(x) return tostring(x) .. "" end })
  return tostring(a)
end)
