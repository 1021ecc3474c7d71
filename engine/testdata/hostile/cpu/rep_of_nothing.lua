-- title: the empty string, very often
-- expect: ok
on("pre_tool_call", function()
  assert((""):rep(1e300) == "" and (""):rep(2 ^ 62) == "" and ("x"):rep(-1e300) == "")
  return context("held")
end)
