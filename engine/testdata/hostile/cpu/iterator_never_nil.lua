-- title: an iterator that always has one more
-- expect: limit instructions
on("pre_tool_call", function()
  for _ in function() return 1 end do end
end)
