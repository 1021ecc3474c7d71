-- title: lists that a sort might copy
-- expect: limit
on("pre_tool_call", function()
  local t, kept = {}, {}
  for i = 1, 2e5 do t[i] = -i end
  while true do
    table.sort(t); table.sort(t, function(a, b) return a > b end)
    kept[#kept + 1] = { unpack(t, 1, 7000) }
  end
end)
