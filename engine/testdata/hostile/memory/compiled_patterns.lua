-- title: compiled patterns, all kept
-- expect: limit
on("pre_tool_call", function()
  local kept, n = {}, 0
  while true do
    n = n + 1
    kept[n] = re.compile("(a{" .. n % 400 .. "}b?){2}" .. n)
  end
end)
