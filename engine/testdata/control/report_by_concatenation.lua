-- title: builds a report of 40 KB by joining strings in a loop
-- event: post_tool_call
-- want: {"data": {"size": 39412, "tail": "row 1000: 1000000;"}}
on("post_tool_call", function()
  local report = ""
  for i = 1, 1000 do
    report = report .. "row " .. i .. ": " .. i * i .. ";" .. (i < 1000 and " and here comes the next" or "")
  end
  return { data = { size = #report, tail = report:sub(-18) } }
end)
