-- title: four megabytes of output, searched line by line
-- expect: ok
-- event: post_tool_call
-- output: 4000000
on("post_tool_call", function(ev)
  local n = 0
  for line in ev.tool_call.output:gmatch("[^\n]+") do
    if line:find("FAIL", 1, true) then n = n + 1 end
  end
  assert(n == 0)
  return context("held")
end)
