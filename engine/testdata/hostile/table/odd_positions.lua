-- title: inserting and removing nowhere
-- expect: ok or limit
on("pre_tool_call", function()
  for _, at in ipairs({ 0, -1, -2 ^ 31, 2 ^ 53, 1e308, -1e308, math.huge, 0.5, 100 }) do
    local t = { 1, 2, 3 }
    pcall(table.insert, t, at, "x")
    pcall(table.remove, t, at)
    pcall(table.maxn, t)
  end
  pcall(table.insert, {}, 0 / 0, 1)
  pcall(table.insert, {})
  pcall(table.insert, {}, 1, 2, 3)
  pcall(table.insert)
  assert(pcall(table.remove, {}))
  return context("held")
end)
