-- Lets another command run in place of the one that makes a marker.
on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  local instead = "touch rewritten && printf 'new-%s\\n' output"
  if ev.tool_call.input.commands then -- a tool that takes several
    return modify { commands = { instead } }
  end
  return modify { command = instead }
end)
