-- title: yielding an answer instead of returning it
-- expect: ok
on("pre_tool_call", function()
  local co = coroutine.wrap(function() coroutine.yield(deny("from inside")) end)
  local answer = co()
  if answer == nil then return answer end
  return context("held")
end)
