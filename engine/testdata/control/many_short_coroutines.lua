-- title: a thousand coroutines that each do their work and end
-- event: pre_tool_call
-- want: {"data": {"done": 1000}}
on("pre_tool_call", function()
  local done = 0
  for i = 1, 1000 do
    local co = coroutine.create(function(n) local m = coroutine.yield(n + 1); done = done + (m == i and 1 or 0) end)
    local _, n = coroutine.resume(co, i)
    coroutine.resume(co, n - 1)
    assert(coroutine.status(co) == "dead")
  end
  return { data = { done = done } }
end)
