-- title: keys without number
-- expect: limit
on("pre_tool_call", function()
  local t, n = {}, 0
  while true do
    n = n + 1
    t["key " .. n] = n
  end
end)
