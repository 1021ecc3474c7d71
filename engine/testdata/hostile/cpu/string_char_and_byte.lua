-- title: strings to bytes and back, for ever
-- expect: limit
on("pre_tool_call", function()
  local s = ("x"):rep(7000)
  while true do s = string.char(s:byte(1, -1)) end
end)
