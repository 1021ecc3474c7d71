-- title: unpacking billions of nothing
-- expect: ok
-- fires: 1
on("pre_tool_call", function()
  for _, range in ipairs({ { 1, 1e7 }, { 1, 2 ^ 31 }, { -2 ^ 31, 2 ^ 31 }, { 1, 2 ^ 53 }, { -2 ^ 53, 2 ^ 53 }, { 1, 1e308 }, { -1e308, 1e308 }, { 1, math.huge }, { -math.huge, 1 } }) do
    local ok, why = pcall(unpack, {}, range[1], range[2])
    assert(not ok and why:find("too many"), range[2] .. ": " .. tostring(why))
  end
  return context("held")
end)
