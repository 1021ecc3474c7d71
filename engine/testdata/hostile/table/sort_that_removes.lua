-- title: a comparison that empties the list that is being sorted
-- expect: ok or limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 500 do t[i] = -i end
  pcall(table.sort, t, function(a, b)
    for i = 1, #t do t[i] = nil end
    return (a or 0) < (b or 0)
  end)
  t = {}
  for i = 1, 500 do t[i] = -i end
  pcall(table.sort, t, function(a, b)
    table.remove(t); t[#t + 1] = "x"; table.insert(t, 1, false)
    return #t % 2 == 0
  end)
  return context("held")
end)
