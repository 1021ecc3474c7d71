-- title: the messages of caught errors, each with a position before it
-- expect: limit memory
on("pre_tool_call", function()
  local long, kept = ("e"):rep(2 ^ 20), {}
  while true do
    local _, message = pcall(error, long)
    kept[#kept + 1] = message
    _, message = pcall(function() error(long) end)
    kept[#kept + 1] = message
  end
end)
