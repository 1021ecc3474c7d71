-- title: compiled patterns, all kept
-- expect: limit
on("pre_tool_call", function()
  local kept, n = {}, 0
  while true do
    n = n + 1
    kept[n] = re.compile("(a{" .. n % 900 .. "}b?){40}" .. n)
  end
end)
