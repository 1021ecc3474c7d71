-- title: loops whose bounds, indices and operands are text
-- expect: limit or error
on("pre_tool_call", function()
  local one = (" "):rep(1e6) .. "1"
  local t = {}
  while true do
    t[one * 1] = one + one
    for i = one * 1, one * 3 do t[i] = one - i end
  end
end)
