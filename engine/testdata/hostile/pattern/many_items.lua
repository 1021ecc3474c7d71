-- title: a pattern of two million items
-- expect: any
on("pre_tool_call", function()
  local s = ("a"):rep(2e6)
  s:find(s)
  s:find(("a-"):rep(1e6))
  return context("held")
end)
