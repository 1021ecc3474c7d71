-- title: tables that nobody charges for, with a small store between any two looks at the heap
-- expect: limit
on("pre_tool_call", function()
  local t, n = {}, 0
  t[1] = ("x"):rep(2 ^ 20)
  while true do
    n = n + 1
    t[n] = { { x = n }, { y = n }, { z = n }, { w = n } }
  end
end)
