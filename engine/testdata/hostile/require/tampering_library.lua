-- title: a library that changes the globals, and what the next run sees of it
-- expect: ok
-- fires: 3
on("pre_tool_call", function(ev)
  assert(evil == nil and type(table) == "table")
  local ok = pcall(require, "tampering")
  assert(ok and evil == "evil")
  return _G.kept_context("held")
end)
kept_context = context
