-- title: waiting in a loop until an hour is over
-- expect: limit
on("pre_tool_call", function()
  local start = time.clock()
  while time.clock() - start < 3600 do time.now() end
end)
