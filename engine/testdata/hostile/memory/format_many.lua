-- title: one long argument in a hundred places
-- expect: limit memory
on("pre_tool_call", function()
  local long = ("y"):rep(2 ^ 20)
  local t = {}
  for i = 1, 200 do t[i] = long end
  return string.format(("%s"):rep(200), unpack(t))
end)
