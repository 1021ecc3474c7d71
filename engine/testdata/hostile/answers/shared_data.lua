-- title: an answer that is small in Lua and endless as data
-- expect: error or limit
on("pre_tool_call", function()
  local t = { ("x"):rep(1e5) }
  for _ = 1, 40 do t = { t, t } end
  return { data = { t = t } }
end)
