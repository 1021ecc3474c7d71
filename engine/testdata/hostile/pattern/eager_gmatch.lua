-- title: iterating over every byte of a long string without looking at one
-- expect: any
on("pre_tool_call", function()
  local s = ("a"):rep(2 ^ 23)
  for _ = 1, 1e5 do s:gmatch("()") end
  return context("held")
end)
