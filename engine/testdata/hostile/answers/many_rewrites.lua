-- title: thousands of rewrites at once, each of a large input
-- expect: any
-- data: 4000000
on("pre_tool_call", function(ev)
  local t = {}
  for i = 1, 5000 do t[i] = modify({ ["k" .. i] = i }) end
  return unpack(t)
end)
