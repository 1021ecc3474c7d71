-- title: a seed that one hook sets must not steer another's chance
-- expect: ok
-- fires: 2
on("pre_tool_call", function()
  math.randomseed(42)
  local a, b = math.random(2 ^ 40), math.random(2 ^ 40)
  math.randomseed(42)
  assert(math.random(2 ^ 40) ~= a or math.random(2 ^ 40) ~= b)
  for _, bad in ipairs({ { 0 }, { 2, 1 }, { -2 ^ 63, 2 ^ 63 }, { 1e308 }, { 0 / 0 }, { math.huge }, { 1, math.huge }, { -math.huge, 1 } }) do pcall(math.random, unpack(bad)) end
  pcall(math.randomseed, {})
  return context("held")
end)
