-- title: a coroutine that one hook starts and another one goes on with
-- expect: ok
local co
on("pre_tool_call", { name = "first", priority = 5 }, function(ev)
  co = coroutine.create(function() coroutine.yield(ev); return "done" end)
  assert(coroutine.resume(co))
end)
on("pre_tool_call", { name = "second", priority = 1 }, function()
  assert(not coroutine.resume(co))
  return context("held")
end)
