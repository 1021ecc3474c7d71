-- title: catching the overflow and going on
-- expect: limit stack
on("pre_tool_call", function()
  local function down() return 1 + down() end
  local ok = pcall(down)
  return context("held")
end)
