-- title: empty matches of an endless loop
-- expect: limit
on("pre_tool_call", function()
  local n = 0
  while true do
    for at in ("x"):rep(1000):gmatch("()") do n = n + at end
  end
end)
