-- title: every write goes through ninety tables
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for _ = 1, 90 do t = setmetatable({}, { __newindex = t }) end
  while true do t.x = nil; t[true] = nil end
end)
