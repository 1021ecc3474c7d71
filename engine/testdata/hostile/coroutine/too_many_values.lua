-- title: resuming with more values than a stack has room for
-- expect: error or limit or ok
on("pre_tool_call", function()
  local t = {}
  for i = 1, 7900 do t[i] = i end
  local co = coroutine.create(function(...) return select("#", ...), ... end)
  local function twice(...) return coroutine.resume(co, ..., unpack(t)) end
  local ok = twice(unpack(t))
  assert(ok ~= nil)
  return context("held")
end)
