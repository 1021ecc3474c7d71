-- title: iterators over a long string, all kept
-- expect: limit
on("pre_tool_call", function()
  local s, kept = ("word "):rep(1e5), {}
  while true do
    local nextword = s:gmatch("%a+")
    nextword()
    kept[#kept + 1] = nextword
  end
end)
