-- title: a coroutine that resumes itself
-- expect: ok
on("pre_tool_call", function()
  local co
  co = coroutine.create(function()
    local ok = coroutine.resume(co)
    assert(not ok)
    assert(not coroutine.resume(coroutine.running()))
    coroutine.yield("still here")
  end)
  local ok, said = coroutine.resume(co)
  assert(ok and said == "still here")
  return context("held")
end)
