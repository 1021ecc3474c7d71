-- title: a repetition over a megabyte takes no stack
-- expect: ok
on("pre_tool_call", function()
  local s = ("line "):rep(2e5) .. "end"
  assert(s:match("^.*end$") == s and s:find("^.-end$") == 1 and #s:match("^[%a ]+") == #s)
  return context("held")
end)
