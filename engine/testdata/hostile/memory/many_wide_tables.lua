-- title: a slot at 60,000 in each of thousands of tables
-- expect: limit
on("pre_tool_call", function()
  local kept = {}
  for i = 1, 5000 do
    local t = {}
    t[60000] = i
    kept[i] = t
  end
end)
