-- title: printing prints
-- expect: limit stack
on("pre_tool_call", function()
  local a = setmetatable({}, { __tostring = function(x) print(x, x); return "" end })
  print(a)
end)
