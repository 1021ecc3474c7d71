-- Keeps API keys out of what the model reads.
local patterns = {
  re.compile([[sk-[A-Za-z0-9]{20,}]]),
  re.compile([[ghp_[A-Za-z0-9]{36}]]),
  re.compile([[AKIA[0-9A-Z]{16}]]),
}

on("post_tool_call", { name = "redact-output" }, function(ev)
  local result = ev.tool_call.output
  if type(result) ~= "string" then
    return
  end
  for _, pattern in ipairs(patterns) do
    result = pattern:replace(result, "[redacted]")
  end
  if result ~= ev.tool_call.output then
    return output(result), message("redacted a key from the output of " .. ev.tool_call.name)
  end
end)
