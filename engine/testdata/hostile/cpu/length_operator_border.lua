-- title: a list with a border that must be searched each time
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 3e5 do t[i] = false end
  for i = 3e5, 2, -1 do t[i] = nil end
  local n = 0
  while true do
    n = n + #t + table.getn(t) + table.maxn(t)
    t[3e5] = n; t[3e5] = nil
  end
end)
