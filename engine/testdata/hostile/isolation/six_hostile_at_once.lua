-- title: six runs at once that all take what they can get
-- expect: limit
-- goroutines: 6
on("pre_tool_call", function()
  local s, t = "x", {}
  while true do
    t[#t + 1] = { s }
    if #s < 2 ^ 20 then s = s .. s end
  end
end)
