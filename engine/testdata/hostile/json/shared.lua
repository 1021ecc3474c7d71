-- title: a table that holds itself thirty times, but never in a circle
-- expect: error or limit
on("pre_tool_call", function()
  local t = {}
  for _ = 1, 30 do t = { t, t } end
  return json.encode(t)
end)
