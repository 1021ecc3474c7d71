-- title: sorting strings that differ in their last byte
-- expect: limit
on("pre_tool_call", function()
  local t, common = {}, ("s"):rep(2e5)
  for i = 1, 250 do t[i] = common .. string.char(256 - i) end
  while true do
    table.sort(t)
    table.sort(t, function(a, b) return a > b end)
  end
end)
