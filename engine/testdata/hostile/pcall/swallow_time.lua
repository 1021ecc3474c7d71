-- title: catching the end of the time in work that runs no instructions
-- expect: limit
on("pre_tool_call", function()
  local s = ("a"):rep(30000)
  for _ = 1, 1e4 do pcall(string.find, s, ".-.-b") end
  return context("held")
end)
