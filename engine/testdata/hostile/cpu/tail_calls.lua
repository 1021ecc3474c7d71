-- title: tail calls for ever, which use no stack
-- expect: limit
on("pre_tool_call", function()
  local ping, pong
  function ping(n) return pong(n + 1) end
  function pong(n) return ping(n - 1) end
  return ping(0)
end)
