-- title: removing everything while it is walked
-- expect: ok
on("pre_tool_call", function()
  local t = {}
  for i = 1, 2000 do t[i], t["k" .. i] = i, i end
  local n = 0
  for k in pairs(t) do t[k] = nil; n = n + 1 end
  assert(next(t) == nil and n == 4000, n)
  return context("held")
end)
