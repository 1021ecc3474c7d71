-- title: closures without end, all kept
-- expect: limit
on("pre_tool_call", function()
  local kept, n = {}, 0
  while true do
    n = n + 1
    local a, b, c, d = n, n, n, n
    kept[n] = function() a, b, c, d = d, c, b, a; return a end
  end
end)
