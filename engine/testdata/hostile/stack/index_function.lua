-- title: reading a field reads a field
-- expect: limit stack
on("pre_tool_call", function()
  local t = setmetatable({}, { __index = function(t, k) return t[k .. ""] end })
  return t.x
end)
