-- title: a loop without an end in a coroutine
-- expect: limit instructions
on("pre_tool_call", function()
  coroutine.wrap(function() while true do end end)()
end)
