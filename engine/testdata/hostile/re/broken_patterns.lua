-- title: patterns that don't compile, without end
-- expect: limit
on("pre_tool_call", function()
  local n = 0
  while true do
    n = n + 1
    pcall(re.match, "x", ("(a"):rep(2000) .. n)
  end
end)
