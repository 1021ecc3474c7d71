-- title: as many lines for the log as one run can write
-- expect: limit
on("pre_tool_call", function()
  while true do print() end
end)
