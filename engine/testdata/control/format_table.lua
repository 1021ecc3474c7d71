-- title: a table of a thousand formatted rows
-- event: pre_tool_call
-- want: {"data": {"width": 38, "row": "|      42 | item 42    |  10.50 | 2a |", "rows": 1000}}
on("pre_tool_call", function()
  local rows, width = {}, 0
  for i = 1, 1000 do
    rows[i] = string.format("| %7d | %-10s | %6.2f | %02x |", i, "item " .. i, i / 4, i % 256)
    width = math.max(width, #rows[i])
  end
  return { data = { width = width, row = rows[42], rows = #rows } }
end)
