-- title: as often as there are numbers
-- expect: limit memory or error
on("pre_tool_call", function()
  return ("ab"):rep(math.huge)
end)
