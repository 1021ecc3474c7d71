-- title: all matches of nothing, and splits there
-- expect: limit
on("pre_tool_call", function()
  local s = ("a"):rep(2 ^ 22)
  return #re.find_all(s, "") + #re.split(s, "") + #re.replace(s, "", "x")
end)
