local patterns = {"mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"}

return function(ev)
  local call = ev.tool_call
  if ev.event == "pre_tool_call" then
    if call.name ~= "bash" then return nil end
    local command = call.command
    for i = 1, #patterns do
      if string.find(command, patterns[i], 1, true) then
        return {block = true, reason = "matches " .. patterns[i]}
      end
    end
  elseif call.name == "bash" then
    local out = call.output
    if #out > 8192 then
      return {output = out:sub(1, 4096) .. "\n[...]\n" .. out:sub(-4096)}
    end
  elseif #call.output > 64 * 1024 * 1024 then
    return {block = true, reason = "too long"}
  end
end
