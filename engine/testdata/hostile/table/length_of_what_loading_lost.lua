-- title: the length of a list that lost a million while the script loaded
-- expect: limit
local t = {}
for i = 1, 400000 do t[i] = 1 end
for i = 400000, 1, -1 do t[i] = nil end
on("pre_tool_call", function() local n = 0 while true do n = n + #t end end)
