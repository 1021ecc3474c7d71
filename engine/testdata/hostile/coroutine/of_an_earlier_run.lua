-- title: resuming in one run what an earlier one has left
-- expect: ok
-- fires: 3
local kept, wrapped
on("pre_tool_call", function(ev)
  if kept then
    assert(coroutine.status(kept) ~= "suspended", coroutine.status(kept))
    local ok = coroutine.resume(kept)
    assert(not ok, "it was resumed")
    assert(not pcall(wrapped), "it was resumed by wrap")
  end
  local event = ev
  local function spin() while true do coroutine.yield(event) end end
  kept, wrapped = coroutine.create(spin), coroutine.wrap(spin)
  assert(coroutine.resume(kept) and wrapped())
  return context("held")
end)
