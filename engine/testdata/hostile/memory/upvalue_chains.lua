-- title: functions that make functions that hold what made them
-- expect: limit
on("pre_tool_call", function()
  local f = function() end
  while true do
    local g, s = f, {}
    f = function() return g, s end
  end
end)
