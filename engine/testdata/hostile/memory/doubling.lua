-- title: a string that doubles until it is a terabyte
-- expect: limit memory
on("pre_tool_call", function()
  local s = "0123456789abcdef"
  for _ = 1, 36 do s = s .. s end
end)
