-- title: days between dates, and a week's list
-- event: pre_tool_call
-- want: {"data": {"days": 366, "week": "Mon 01 Tue 02 Wed 03 Thu 04 Fri 05 Sat 06 Sun 07", "iso": "2024-02-29T12:00:00Z"}}
on("pre_tool_call", function()
  local start = time.parse("2024-01-01T00:00:00Z")
  local days = (time.parse("2025-01-01T00:00:00Z") - start) / 86400
  local week = {}
  for i = 0, 6 do week[#week + 1] = time.date("!%a %d", start + i * 86400) end
  return { data = { days = days, week = table.concat(week, " "), iso = time.iso(start + 59 * 86400 + 43200) } }
end)
