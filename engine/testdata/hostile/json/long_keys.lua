-- title: keys of megabytes, in many levels
-- expect: error or limit
on("pre_tool_call", function()
  local k = ("k"):rep(2 ^ 20)
  local t = {}
  for _ = 1, 90 do t = { [k] = t } end
  return json.encode(t)
end)
