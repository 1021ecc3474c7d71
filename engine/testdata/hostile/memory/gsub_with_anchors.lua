-- title: a string that gets longer at its begin
-- expect: limit
on("pre_tool_call", function()
  local s = "x"
  while true do s = s:gsub("^", s) end
end)
