-- title: as many bytes for the log as one run can write
-- expect: limit
on("pre_tool_call", function()
  local line = ("noise "):rep(1300)
  while true do log.info(line) end
end)
