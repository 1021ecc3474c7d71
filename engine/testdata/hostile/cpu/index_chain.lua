-- title: every read goes through ninety tables
-- expect: limit
on("pre_tool_call", function()
  local t = { x = 1 }
  for _ = 1, 90 do t = setmetatable({}, { __index = t }) end
  local n = 0
  while true do n = n + t.x + t.x + t.x + t.x end
end)
