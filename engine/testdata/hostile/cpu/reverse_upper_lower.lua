-- title: copies of a long string that nobody keeps
-- expect: limit
on("pre_tool_call", function()
  local s = ("aB"):rep(2 ^ 21)
  while true do s = s:reverse():upper():lower() end
end)
