-- title: the primes below fifty thousand
-- event: pre_tool_call
-- want: {"data": {"count": 5133, "last": 49999}}
on("pre_tool_call", function()
  local composite, count, last = {}, 0, 0
  for i = 2, 50000 do
    if not composite[i] then
      count, last = count + 1, i
      for j = i * i, 50000, i do composite[j] = true end
    end
  end
  return { data = { count = count, last = last } }
end)
