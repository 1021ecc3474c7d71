-- Logs every tool call with its arguments, as one JSON object.
on("pre_tool_call", { name = "log-tools" }, function(ev)
  log.info("tool " .. ev.tool_call.name, { id = ev.tool_call.id, arguments = ev.tool_call.input })
end)
