-- title: building answers without end
-- expect: limit
on("pre_tool_call", function()
  local long, kept = ("d"):rep(1e5), {}
  while true do kept[#kept + 1] = modify({ a = { long, { long } } }) end
end)
