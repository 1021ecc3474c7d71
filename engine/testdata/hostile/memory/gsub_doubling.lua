-- title: a substitution that doubles the string each time
-- expect: limit
on("pre_tool_call", function()
  local s = "ab"
  while true do s = s:gsub(".", "%0%0") end
end)
