-- title: frontiers everywhere
-- expect: limit
on("pre_tool_call", function()
  local s = ("a "):rep(5e5)
  while true do s:gsub("%f[%w].-%f[%W].-%f[%d]", "") end
end)
