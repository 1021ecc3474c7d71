-- title: an overflow in a coroutine, caught, and then a second one
-- expect: limit stack
on("pre_tool_call", function()
  local function down() return 1 + down() end
  local co = coroutine.create(down)
  coroutine.resume(co)
  while true do pcall(down) end
end)
