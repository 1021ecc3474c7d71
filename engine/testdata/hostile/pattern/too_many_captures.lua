-- title: thirty-three captures
-- expect: error
-- says: captures
on("pre_tool_call", function()
  return ("x"):rep(50):find(("(.)"):rep(33))
end)
