-- title: protected calls that return thousands of long strings
-- expect: limit
on("pre_tool_call", function()
  local t, kept = {}, {}
  for i = 1, 5000 do t[i] = "value " .. i end
  while true do kept[#kept + 1] = { pcall(unpack, t) } end
end)
