-- title: coroutines that are made and never resumed
-- expect: limit or error
on("pre_tool_call", function()
  local kept = {}
  for i = 1, 1e6 do kept[i] = coroutine.create(function() coroutine.yield() end) end
end)
