-- title: names that no library has, without end and long
-- expect: limit
on("pre_tool_call", function()
  local n = 0
  while true do
    n = n + 1
    pcall(require, ("counte"):rep(1e5) .. n)
  end
end)
