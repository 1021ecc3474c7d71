local patterns = {"mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"}

on("pre_tool_call", {match = "bash"}, function(ev)
  local command = ev.tool_call.command
  for i = 1, #patterns do
    if string.find(command, patterns[i], 1, true) then
      return deny("matches " .. patterns[i])
    end
  end
end)
