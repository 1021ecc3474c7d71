-- title: four megabytes of output, compared and joined in a loop
-- expect: limit
-- event: post_tool_call
-- output: 4000000
on("post_tool_call", function(ev)
  local s = ev.tool_call.output .. "x"
  local n = 0
  while true do
    if s > ev.tool_call.output then n = n + 1 end
    if s == ev.tool_call.output .. "x" then n = n + 1 end
  end
end)
