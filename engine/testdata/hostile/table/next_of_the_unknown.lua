-- title: next after a key that isn't there
-- expect: ok or limit or error
on("pre_tool_call", function()
  local t = { 1, 2, 3, a = 1 }
  for _, key in ipairs({ "zzz", 4, 100, -1, 0, 0.5, 1e308, {}, print, true, math.huge }) do pcall(next, t, key) end
  pcall(next, t, 0 / 0)
  pcall(next, {}, 1)
  pcall(next)
  return context("held")
end)
