-- title: permutations by swapping in place
-- event: pre_tool_call
-- want: {"data": {"count": 720, "first": "123456", "last": "234561", "sorted": "1 2 3 5 8 9"}}
on("pre_tool_call", function()
  local list, all = { 1, 2, 3, 4, 5, 6 }, {}
  local function permute(n)
    if n > #list then
      all[#all + 1] = table.concat(list)
      return
    end
    for i = n, #list do
      list[n], list[i] = list[i], list[n]
      permute(n + 1)
      list[n], list[i] = list[i], list[n]
    end
  end
  permute(1)
  local t = { 5, 2, 9, 1, 8, 3 }
  for i = 1, #t do
    for j = i + 1, #t do
      if t[j] < t[i] then t[i], t[j] = t[j], t[i] end
    end
  end
  local seen = {}
  for _, p in ipairs(all) do assert(not seen[p]); seen[p] = true end
  table.sort(all)
  return { data = { count = #all, first = all[1], last = seen["234561"] and "234561", sorted = table.concat(t, " ") } }
end)
