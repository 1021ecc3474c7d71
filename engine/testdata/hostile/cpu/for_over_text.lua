-- title: loop bounds that are megabytes of digits
-- expect: limit or error
on("pre_tool_call", function()
  local digits = "0." .. ("3"):rep(4e6)
  while true do
    for _ = digits, digits do end
  end
end)
