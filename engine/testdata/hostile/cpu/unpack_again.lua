-- title: unpacking seven thousand values into nothing, for ever
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 7000 do t[i] = i end
  while true do
    local _ = unpack(t)
    _ = (unpack(t))
    _ = ("x"):rep(7000):byte(1, -1)
  end
end)
