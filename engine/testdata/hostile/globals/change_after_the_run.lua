-- title: a coroutine of the chunk that changes globals between runs
-- expect: ok
-- fires: 3
local tamper = coroutine.wrap(function()
  while true do
    type, evil = nil, true
    coroutine.yield()
  end
end)
on("pre_tool_call", function()
  assert(type and not evil)
  tamper()
  assert(evil)
  return context("held")
end)
