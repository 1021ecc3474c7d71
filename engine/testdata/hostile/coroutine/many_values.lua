-- title: seven thousand values back and forth
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 7000 do t[i] = i end
  local co = coroutine.wrap(function(...) while true do coroutine.yield(...) end end)
  while true do co(unpack(t)) end
end)
