-- title: a name of megabytes that the event doesn't have
-- expect: limit or error
on("pre_tool_call", function(ev)
  local name = ("tool_cal"):rep(5e5)
  while true do
    pcall(function() return ev[name] end)
    pcall(function() return ev.tool_call[name] end)
  end
end)
