-- title: asking coroutines about one another
-- expect: ok
on("pre_tool_call", function()
  local outer
  outer = coroutine.create(function()
    local inner = coroutine.create(function()
      assert(coroutine.status(outer) == "normal")
      assert(coroutine.running() ~= outer)
      assert(not coroutine.resume(outer))
    end)
    assert(coroutine.resume(inner))
    assert(coroutine.status(inner) == "dead")
  end)
  assert(coroutine.resume(outer))
  assert(coroutine.status(outer) == "dead" and not coroutine.resume(outer))
  assert(getmetatable(outer) == nil and not pcall(setmetatable, outer, {}))
  return context("held")
end)
