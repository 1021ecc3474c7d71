on("post_tool_call", {match = "bash"}, function(ev)
  local out = ev.tool_call.output
  if #out > 8192 then
    return output(out:sub(1, 4096) .. "\n[...]\n" .. out:sub(-4096))
  end
end)

on("post_tool_call", {match = "read"}, function(ev)
  if #ev.tool_call.output > 64 * 1024 * 1024 then return deny("too long") end
end)
