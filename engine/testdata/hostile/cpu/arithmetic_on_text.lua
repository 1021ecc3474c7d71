-- title: arithmetic that reads megabytes of digits, an instruction each time
-- expect: limit
on("pre_tool_call", function()
  local digits = "0." .. ("1"):rep(2e6)
  local n = 0
  while true do n = digits * 1 + digits - digits end
end)
