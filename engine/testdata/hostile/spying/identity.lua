-- title: the texts of two tables differ, those of one don't
-- expect: ok
on("pre_tool_call", function()
  local a, b = {}, {}
  assert(tostring(a) == tostring(a) and tostring(a) ~= tostring(b))
  assert(tostring(a):find("^table: ") and tostring(print):find("^function: "))
  return context("held")
end)
