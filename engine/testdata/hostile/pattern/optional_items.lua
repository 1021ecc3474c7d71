-- title: forty things that may be there, and then are needed
-- expect: limit
on("pre_tool_call", function()
  return ("a"):rep(40):find(("a?"):rep(40) .. ("a"):rep(40))
end)
