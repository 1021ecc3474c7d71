-- title: an error handler that goes on where the function was stopped
-- expect: limit instructions
on("pre_tool_call", function()
  local function spin() while true do end end
  xpcall(spin, function() spin() end)
  return context("held")
end)
