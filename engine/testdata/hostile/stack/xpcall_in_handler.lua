-- title: an error handler that protects a failing call with itself
-- expect: limit stack
on("pre_tool_call", function()
  local function handler() return xpcall(error, handler) end
  xpcall(error, handler)
  return context("held")
end)
