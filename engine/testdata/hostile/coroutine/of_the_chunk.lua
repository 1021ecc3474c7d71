-- title: a coroutine made by the chunk that loops for ever in the second run
-- expect: limit instructions
-- fires: 2
local co = coroutine.create(function()
  coroutine.yield()
  while true do end
end)
on("pre_tool_call", function() coroutine.resume(co) end)
