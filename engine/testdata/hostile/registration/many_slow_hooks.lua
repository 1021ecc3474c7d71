-- title: thirty hooks for one event, each of which waits until its time is up
-- expect: any
for i = 1, 30 do
  on("pre_tool_call", { name = "hook" .. i, on_failure = "ignore" }, function() while true do time.now() end end)
end
