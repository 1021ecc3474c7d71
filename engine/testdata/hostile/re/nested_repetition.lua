-- title: what makes other engines backtrack
-- expect: ok
on("pre_tool_call", function()
  local s = ("a"):rep(20000) .. "!"
  assert(not re.match(s, "^(a+)+$") and not re.match(s, "^(a|aa)*$") and not re.match(s, "^(([a-z])+.)+[A-Z]$"))
  return context("held")
end)
