-- title: decodes and encodes half a megabyte of JSON
-- event: post_tool_call
-- want: {"data": {"same": true, "count": 5000, "sum": 12502500, "large": true}}
on("post_tool_call", function()
  local items = json.array()
  for i = 1, 5000 do items[i] = { id = i, name = "item number " .. i, tags = { "a", "b", "c" }, price = i / 4, note = "a note that makes it longer", ok = i % 2 == 0 } end
  local text = json.encode({ items = items })
  local again, sum = json.decode(text), 0
  for _, item in ipairs(again.items) do sum = sum + item.id end
  return { data = { same = json.encode(again) == text, count = #again.items, sum = sum, large = #text > 500000 } }
end)
