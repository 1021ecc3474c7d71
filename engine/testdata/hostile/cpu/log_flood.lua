-- title: writing to the log for ever
-- expect: limit
on("pre_tool_call", function()
  local line = ("noise "):rep(2e5)
  while true do
    log.info(line)
    print(line, line)
  end
end)
