-- title: a hundred thousand substitutions that are left by an error
-- expect: limit or ok
on("pre_tool_call", function()
  for _ = 1, 1e5 do
    pcall(string.gsub, "abc", ".", function() error({}) end)
  end
  return context("held")
end)
