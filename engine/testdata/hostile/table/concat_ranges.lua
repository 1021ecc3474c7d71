-- title: joining ranges that no table has
-- expect: error or limit
on("pre_tool_call", function()
  for _, range in ipairs({ { 1, 2 ^ 53 }, { -2 ^ 53, 1 }, { -math.huge, math.huge }, { 0 / 0, 1 }, { 1, 1e308 } }) do
    local ok, why = pcall(table.concat, {}, "", range[1], range[2])
    assert(not ok or why == "")
  end
  return table.concat({ 1 }, "", 1, 2 ^ 40)
end)
