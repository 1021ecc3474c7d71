-- title: new patterns without end, which are kept for others
-- expect: limit
on("pre_tool_call", function()
  local n = 0
  while true do
    n = n + 1
    re.match("x", "(" .. n .. "[a-z]{60}|\\pL{10}){5}")
  end
end)
