-- title: protected calls within one another
-- expect: limit stack
on("pre_tool_call", function()
  local function down() return pcall(down) end
  down()
  return context("held")
end)
