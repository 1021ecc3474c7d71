-- title: metamethods and comparisons as deep as a stack is, a protected call, and that again
-- expect: limit
on("pre_tool_call", function()
  local down
  local meta = {}
  function meta.__index(t, n) down(n + 1) end
  function meta.__lt(a, b) down(a.n + 1); return false end
  local t = setmetatable({}, meta)
  function down(n)
    if n % 80 == 79 then
      pcall(down, n + 1)
    elseif n % 2 == 0 then
      local _ = t[n]
    else
      local _ = setmetatable({ n = n }, meta) < setmetatable({ n = n }, meta)
    end
  end
  down(0)
  return context("held")
end)
