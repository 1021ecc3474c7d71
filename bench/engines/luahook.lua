local patterns = {"mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"}

on("pre_tool_call", {match = "bash"}, function(ev)
  local command = ev.tool_call.command
  for i = 1, #patterns do
    if string.find(command, patterns[i], 1, true) then
      return deny("matches " .. patterns[i])
    end
  end
end)

on("post_tool_call", {match = "bash"}, function(ev)
  local out = ev.tool_call.output
  if #out > 8192 then
    return output(out:sub(1, 4096) .. "\n[...]\n" .. out:sub(-4096))
  end
end)

on("post_tool_call", {match = "read"}, function(ev)
  if #ev.tool_call.output > 64 * 1024 * 1024 then return deny("too long") end
end)
