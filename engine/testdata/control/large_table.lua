-- title: a table of a hundred thousand entries, filled, walked and emptied
-- event: pre_tool_call
-- want: {"data": {"sum": 5000050000, "keys": 20000, "left": 0}}
on("pre_tool_call", function()
  local t, keys = {}, {}
  for i = 1, 100000 do t[i] = i end
  local sum = 0
  for _, v in ipairs(t) do sum = sum + v end
  for i = 1, 20000 do keys["key" .. i] = i end
  local n, left = 0, 0
  for k in pairs(keys) do n = n + 1; keys[k] = nil end
  for _ in pairs(keys) do left = left + 1 end
  return { data = { sum = sum, keys = n, left = left } }
end)
