-- title: weak tables and finalizers are promises that nobody has made
-- expect: limit
on("pre_tool_call", function()
  local weak, n = setmetatable({}, { __mode = "kv" }), 0
  while true do
    n = n + 1
    weak[n] = setmetatable({}, { __gc = function() while true do end end })
  end
end)
