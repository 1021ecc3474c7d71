-- Keeps shell commands away from production.
on("pre_tool_call", { name = "block-production", match = { kind = "shell" } }, function(ev)
  if text.contains(ev.tool_call.command:lower(), "production") then
    return deny("production access not allowed; use the staging profile")
  end
end)
