-- title: a table constructor with many names, run again and again
-- expect: limit
on("pre_tool_call", function()
  local kept, n = {}, 0
  while true do
    n = n + 1
    kept[n] = { {{repeat 60 "name%d = n, "}} }
  end
end)
