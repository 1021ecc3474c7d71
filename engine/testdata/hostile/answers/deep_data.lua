-- title: an answer nested too deep
-- expect: error
on("pre_tool_call", function()
  local t = {}
  for _ = 1, 5000 do t = { t } end
  return { data = { t = t } }
end)
