-- title: errors at levels that there are not
-- expect: ok
on("pre_tool_call", function()
  for _, level in ipairs({ 0, -1, 2, 3, 100, 1e6, 2 ^ 31, 2 ^ 53, 1e308, -1e308, math.huge, -math.huge, 0.5 }) do
    local ok, why = pcall(error, "x", level)
    assert(not ok and tostring(why):find("x"))
  end
  assert(not pcall(error, "x", 0 / 0))
  return context("held")
end)
