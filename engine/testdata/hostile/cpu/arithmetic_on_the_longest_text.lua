-- title: arithmetic on as many digits as a string may have
-- expect: limit
on("pre_tool_call", function()
  local digits = "0." .. ("1"):rep(15e6)
  local n = 0
  while true do
    n = digits - digits
    n = digits * digits
    n = digits / digits
    n = digits + digits
  end
end)
