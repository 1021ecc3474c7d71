-- title: two tables that pass every write on to one another
-- expect: error
on("pre_tool_call", function()
  local a, b = {}, {}
  setmetatable(a, { __newindex = b })
  setmetatable(b, { __newindex = a })
  a.x = 1
end)
