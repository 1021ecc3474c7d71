-- title: a capture of any length that must come again
-- expect: limit
on("pre_tool_call", function()
  return ("a"):rep(20000):match("(.*)(.*)%1%2%1b")
end)
