-- title: joining a string with a byte until it has megabytes
-- expect: limit
on("pre_tool_call", function()
  local s = ""
  while true do s = s .. "x" end
end)
