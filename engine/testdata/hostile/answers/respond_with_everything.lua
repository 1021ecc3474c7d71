-- title: a response of ninety thousand values
-- expect: any
on("pre_tool_call", function()
  local t = {}
  for i = 1, 9e4 do t[i] = { i } end
  return respond(t)
end)
