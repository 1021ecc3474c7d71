-- title: every operator calls a function, for ever
-- expect: limit
on("pre_tool_call", function()
  local meta = {}
  for _, name in ipairs({ "add", "sub", "mul", "div", "mod", "pow", "unm", "concat", "lt", "le", "eq", "index", "call" }) do
    meta["__" .. name] = function(a) return a end
  end
  meta.__newindex = function() end
  local a, b = setmetatable({}, meta), setmetatable({}, meta)
  while true do
    local _ = -((a + b) - (a * b) / (a % b) ^ (a .. b))
    if a < b and a <= b and a == b then a.x = b.y end
    a(b, a)
  end
end)
