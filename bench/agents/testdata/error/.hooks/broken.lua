-- Fails whenever it's called.
on("pre_tool_call", function(ev)
  return deny(ev.tool_call.input.nothing.here)
end)
