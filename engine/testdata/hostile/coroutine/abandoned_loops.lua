-- title: loops over generators that are left in the middle
-- expect: limit or error
on("pre_tool_call", function()
  for _ = 1, 1e6 do
    for v in coroutine.wrap(function() coroutine.yield(1); coroutine.yield(2) end) do
      assert(v == 1)
      break
    end
  end
end)
