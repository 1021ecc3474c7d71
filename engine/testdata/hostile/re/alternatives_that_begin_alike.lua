-- title: alternatives that have two thousand parts in common
-- expect: error
-- says: takes too long to read
on("pre_tool_call", function()
  for i = 1, 100 do
    local ok, err = pcall(re.compile, ("a."):rep(2400) .. i .. "|" .. ("a."):rep(2400) .. "b")
    if i == 100 then error(err, 0) end
  end
end)
