-- title: counts the words of a long text and gives the commonest
-- event: pre_tool_call
-- want: {"data": {"words": 24000, "top": "the 6000, cart 3000, here 3000"}}
on("pre_tool_call", function()
  local counts, total = {}, 0
  for word in ("The total of the cart is rounded here. "):rep(3000):lower():gmatch("%a+") do
    counts[word] = (counts[word] or 0) + 1
    total = total + 1
  end
  local list = {}
  for word, n in pairs(counts) do list[#list + 1] = { word = word, n = n } end
  table.sort(list, function(a, b) return a.n > b.n or (a.n == b.n and a.word < b.word) end)
  local top = {}
  for i = 1, 3 do top[i] = list[i].word .. " " .. list[i].n end
  return { data = { words = total, top = table.concat(top, ", ") } }
end)
