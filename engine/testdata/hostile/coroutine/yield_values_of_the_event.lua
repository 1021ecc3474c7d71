-- title: coroutines of earlier runs that hold events, looked at by other runs
-- expect: ok
-- fires: 10
local all = {}
on("pre_tool_call", function(ev)
  local co = coroutine.wrap(function() coroutine.yield(ev); coroutine.yield(ev.metadata.fire) end)
  co()
  all[#all + 1] = co
  for i = 1, #all - 1 do
    local ok, v = pcall(all[i])
    assert(not ok, "resumed")
  end
  return context("held")
end)
