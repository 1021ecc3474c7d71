-- title: sorts ten thousand items, by number and by text
-- event: pre_tool_call
-- want: {"data": {"first": 1, "last": 9973, "text": "item 0001", "ordered": true}}
on("pre_tool_call", function()
  local t, names = {}, {}
  for i = 1, 10000 do
    t[i] = (i * 7919) % 9973 + 1
    names[i] = { name = string.format("item %04d", t[i]), at = i }
  end
  table.sort(t)
  table.sort(names, function(a, b)
    if a.name ~= b.name then return a.name < b.name end
    return a.at < b.at
  end)
  local ordered = true
  for i = 2, #names do ordered = ordered and names[i - 1].name <= names[i].name and t[i - 1] <= t[i] end
  return { data = { first = t[1], last = t[#t], text = names[1].name, ordered = ordered } }
end)
