-- title: pcall of pcall of pcall, as arguments
-- expect: limit or ok
on("pre_tool_call", function()
  local t = {}
  for i = 1, 5000 do t[i] = pcall end
  t[#t + 1] = error
  pcall(unpack(t))
  return context("held")
end)
