-- title: a library that yields
-- expect: ok
on("pre_tool_call", function()
  local co = coroutine.create(function() return require("yielding") end)
  for _ = 1, 3 do coroutine.resume(co) end
  pcall(require, "yielding")
  return context("held")
end)
