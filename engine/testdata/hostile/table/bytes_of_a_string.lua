-- title: all bytes of a megabyte as values
-- expect: error
on("pre_tool_call", function()
  return #{ ("x"):rep(2 ^ 20):byte(1, -1) }
end)
