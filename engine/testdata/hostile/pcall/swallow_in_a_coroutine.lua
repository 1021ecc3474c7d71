-- title: catching it in a coroutine in a protected call in a coroutine
-- expect: limit instructions
on("pre_tool_call", function()
  local function spin() while true do end end
  local co = coroutine.wrap(function()
    pcall(coroutine.wrap(function() pcall(spin); return 1 end))
    coroutine.yield(1)
    return 2
  end)
  pcall(co)
  pcall(co)
  return context("held")
end)
