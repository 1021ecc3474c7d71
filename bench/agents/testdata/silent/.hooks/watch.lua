-- Looks at everything and says nothing.
local function look(ev)
  assert(ev.event ~= "")
end

on("pre_tool_call", look)
on("post_tool_call", look)
on("stop", look)
