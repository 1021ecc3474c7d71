-- title: an event that is kept until the next one
-- expect: ok
-- fires: 3
local kept, call, walk
on("pre_tool_call", function(ev)
  if kept and ev.metadata.fire > 1 then
    local fire = kept.metadata.fire
    assert(fire == ev.metadata.fire, "an old event shows " .. tostring(fire))
    assert(call.command == ev.tool_call.command)
    pcall(walk)
  end
  kept, call, walk = ev, ev.tool_call, function() for k in pairs(ev) do assert(ev[k] ~= nil) end end
  return context("held")
end)
