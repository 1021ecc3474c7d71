-- title: thousands of long answers at once
-- expect: any
on("pre_tool_call", function()
  local t, long = {}, ("c"):rep(1e6)
  for i = 1, 5000 do t[i] = context(long) end
  return unpack(t)
end)
