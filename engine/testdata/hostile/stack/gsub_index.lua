-- title: a substitution whose table substitutes
-- expect: limit stack
on("pre_tool_call", function()
  local t
  t = setmetatable({}, { __index = function(_, s) return (s:gsub(".", t)) end })
  return (("x"):gsub(".", t))
end)
