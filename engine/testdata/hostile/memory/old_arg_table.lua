-- title: functions that get an arg table whether they want it or not
-- expect: limit
on("pre_tool_call", function()
  local t, kept = {}, {}
  for i = 1, 7000 do t[i] = i end
  local function keep(...) kept[#kept + 1] = arg or kept; return 1 end
  while true do keep(unpack(t)) end
end)
