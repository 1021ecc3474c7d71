-- title: snippets of nothing but wide classes, caught
-- expect: error
-- says: takes too long to read
on("pre_tool_call", function()
  for i = 1, 10 do
    local ok, err = pcall(text.snippets, { { patterns = { i .. "(?i)error" .. ("[B-😀]"):rep(110) } } })
    if i == 10 then error(err, 0) end
  end
end)
