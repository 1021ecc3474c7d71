-- title: one lazy repetition from every start
-- expect: limit or ok
on("pre_tool_call", function()
  local s = ("a"):rep(2e6)
  assert(not s:find(".-b") and not s:find(".-[bc]") and not s:find(".-%d") and not s:find("a.-%a-b"))
  return context("held")
end)
