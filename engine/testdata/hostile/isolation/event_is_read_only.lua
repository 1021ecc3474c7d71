-- title: writing to the event by every way to store
-- expect: ok
on("pre_tool_call", function(ev)
  local command = ev.tool_call.command
  assert(not pcall(function() ev.event = "stop" end))
  assert(not pcall(function() ev.tool_call = {} end))
  assert(not pcall(function() ev.tool_call.command = "true" end))
  assert(not pcall(function() ev.tool_call["com" .. "mand"] = "true" end))
  assert(not pcall(rawset, ev, "event", "stop"))
  assert(not pcall(rawget, ev, "event"))
  assert(not pcall(table.insert, ev, 1))
  for k in pairs(ev) do assert(not pcall(function() ev[k] = nil end)) end
  for _, t in ipairs({ ev, ev.tool_call }) do
    local k = next(t)
    assert(k)
  end
  ev.tool_call.input.command, ev.metadata.fire = "true", 99
  assert(ev.tool_call.command == command)
  return context("held")
end)
