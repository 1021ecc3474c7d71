-- title: seven lazy repetitions before what never comes
-- expect: limit
on("pre_tool_call", function()
  return ("a"):rep(3000):match((".-"):rep(7) .. "z")
end)
