-- title: errors through sixteen coroutines, again and again
-- expect: limit
on("pre_tool_call", function()
  local function down(n)
    if n == 0 then error({ "deep" }) end
    return coroutine.wrap(down)(n - 1)
  end
  while true do pcall(down, 15) end
end)
