-- title: an error of one's own in the words of an overflow is no overflow
-- expect: ok
on("pre_tool_call", function()
  local ok, why = pcall(error, "stack overflow")
  assert(not ok and why:find("stack overflow"))
  return context("held")
end)
