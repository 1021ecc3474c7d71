-- title: a comparison that raises, yields and compares what can't be compared
-- expect: ok
on("pre_tool_call", function()
  assert(not pcall(table.sort, { 3, 2, 1 }, function() error("no") end))
  assert(not pcall(table.sort, { 3, {}, "a", print }))
  assert(not pcall(table.sort, { 3, 2, 1 }, 5))
  local co = coroutine.create(function() table.sort({ 3, 2, 1 }, function() return coroutine.yield() end) end)
  coroutine.resume(co)
  pcall(coroutine.resume, co, true)
  return context("held")
end)
