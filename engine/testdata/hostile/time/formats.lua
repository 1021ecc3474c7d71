-- title: a date in a format of a megabyte
-- expect: limit or error
on("pre_tool_call", function()
  local kept = {}
  while true do kept[#kept + 1] = time.date(("%F%T%z"):rep(2e5)) end
end)
