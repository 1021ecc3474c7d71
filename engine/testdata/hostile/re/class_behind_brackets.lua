-- title: a large class that a thousand instructions hold, in many patterns that are kept
-- expect: error or limit
on("pre_tool_call", function()
  local kept = {}
  for i = 1, 300 do
    kept[i] = re.compile("^" .. ("^"):rep(400) .. "[\\p{Lu}\\p{Nd}\\p{Mn}\\p{So}" .. i .. "]")
    kept[i]:match("x")
  end
end)
