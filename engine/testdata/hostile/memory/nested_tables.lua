-- title: tables within tables within tables
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  while true do t = { t, next = t, [t] = t } end
end)
