-- title: a table that holds itself
-- expect: ok
on("pre_tool_call", function()
  local t = {}
  t.t = { { t } }
  assert(not pcall(json.encode, t))
  assert(not pcall(deny, t))
  assert(not pcall(modify, t))
  assert(not pcall(output, t))
  assert(not pcall(log.info, "x", t))
  return context("held")
end)
