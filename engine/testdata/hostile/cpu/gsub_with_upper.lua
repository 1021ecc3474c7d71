-- title: a substitution whose callback is a function of Go
-- expect: limit
on("pre_tool_call", function()
  local s = ("abc "):rep(5e5)
  while true do s:gsub(".", string.upper) end
end)
