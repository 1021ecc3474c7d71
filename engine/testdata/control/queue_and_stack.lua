-- title: a queue and a stack of tables, worked off
-- event: pre_tool_call
-- want: {"data": {"queue": 500500, "stack": 500500, "sum": 1000}}
on("pre_tool_call", function()
  local queue, stack = {}, {}
  for i = 1, 1000 do
    table.insert(queue, { n = i })
    table.insert(stack, 1, i)
  end
  local q, s, n = 0, 0, 0
  while #queue > 0 do q = q + table.remove(queue, 1).n; n = n + 1 end
  while #stack > 0 do s = s + table.remove(stack) end
  return { data = { queue = q, stack = s, sum = n } }
end)
