-- title: wide classes where case is ignored, in patterns that are none, caught
-- expect: limit
on("pre_tool_call", function()
  for i = 1, 1e5 do pcall(re.match, "x", "(?i)[" .. ("B-😀"):rep(6) .. "](" .. i) end
end)
