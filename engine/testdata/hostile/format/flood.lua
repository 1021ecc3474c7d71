-- title: numbers of three hundred digits, for ever
-- expect: limit
on("pre_tool_call", function()
  local f = ("%99.99f"):rep(50)
  local t = {}
  for i = 1, 50 do t[i] = 1e308 end
  while true do string.format(f, unpack(t)) end
end)
