-- title: yielding and resuming for ever
-- expect: limit
on("pre_tool_call", function()
  local co = coroutine.wrap(function() while true do coroutine.yield() end end)
  while true do co() end
end)
