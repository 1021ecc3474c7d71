-- title: two tables that stand behind one another
-- expect: error
on("pre_tool_call", function()
  local a, b = {}, {}
  setmetatable(a, { __index = b })
  setmetatable(b, { __index = a })
  return a.x
end)
