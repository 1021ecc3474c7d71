-- title: two coroutines that resume each other
-- expect: ok
on("pre_tool_call", function()
  local one, two
  one = coroutine.create(function() return coroutine.resume(two) end)
  two = coroutine.create(function() return coroutine.resume(one) end)
  local ok, ok2, ok3, why = coroutine.resume(one)
  assert(ok and ok2 and not ok3 and why:find("non%-suspended"), tostring(why))
  return context("held")
end)
