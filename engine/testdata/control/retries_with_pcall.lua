-- title: a thousand protected calls, half of which fail
-- event: pre_tool_call
-- want: {"data": {"failed": 500, "reason": "odd 999", "nested": true}}
on("pre_tool_call", function()
  local failed, reason = 0, nil
  for i = 1, 1000 do
    local ok, why = pcall(function() if i % 2 == 1 then error({ text = "odd " .. i }) end end)
    if not ok then failed, reason = failed + 1, why.text end
  end
  local ok, a, b = xpcall(function() return pcall(error, "inner") end, function(e) return e end)
  return { data = { failed = failed, reason = reason, nested = ok and not a and tostring(b):find("inner") ~= nil } }
end)
