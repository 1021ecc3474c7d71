-- title: an answer of a million parts
-- expect: error or limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 3e5 do t[i] = i end
  return { data = { t = t } }
end)
