local patterns = {"mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"}

on("pre_tool_call", {match = "bash"}, function(ev)
  local found = text.contains_any(ev.tool_call.command, patterns)
  if found then return deny("matches " .. found) end
end)
