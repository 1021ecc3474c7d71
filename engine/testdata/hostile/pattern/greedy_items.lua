-- title: greedy repetitions that give back one by one
-- expect: limit
on("pre_tool_call", function()
  return ("a"):rep(3000):match(("a*"):rep(7) .. "z")
end)
