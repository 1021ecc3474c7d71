-- title: loops made of jumps, each with work of its own
-- expect: limit
on("pre_tool_call", function()
  local i, s = 0, ("z"):rep(1e6)
  ::top::
  i = i + 1
  local t = s == s .. ""
  if t then goto top end
  goto top
end)
