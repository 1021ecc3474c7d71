-- title: two million commands
-- expect: limit or ok or error
on("pre_tool_call", function()
  local line = shell.parse(("a;"):rep(2e6))
  assert(line.too_complex or #line.commands > 0)
  return context("held")
end)
