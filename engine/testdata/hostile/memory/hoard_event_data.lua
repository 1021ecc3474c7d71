-- title: a piece of every event's output, which holds all of it
-- expect: any
-- fires: 100
-- event: post_tool_call
-- output: 4000000
local hoard = {}
on("post_tool_call", function(ev)
  hoard[#hoard + 1] = ev.tool_call.output
  hoard[#hoard + 1] = (ev.tool_call.output .. "!"):sub(-1)
end)
