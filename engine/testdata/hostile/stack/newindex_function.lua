-- title: writing a field writes a field
-- expect: limit stack
on("pre_tool_call", function()
  local t = setmetatable({}, { __newindex = function(t, k, v) t[k] = v end })
  t.x = 1
end)
