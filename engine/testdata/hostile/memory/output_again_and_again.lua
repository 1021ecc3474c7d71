-- title: the tool's output, joined with itself
-- expect: limit memory
-- event: post_tool_call
-- output: 4000000
on("post_tool_call", function(ev)
  local all = {}
  for i = 1, 100 do all[i] = ev.tool_call.output .. i end
end)
