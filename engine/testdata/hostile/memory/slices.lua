-- title: a million slices of a long string
-- expect: any
on("pre_tool_call", function()
  local s, kept = ("abcdefgh"):rep(2 ^ 20), {}
  for i = 1, 1e6 do kept[i] = s:sub(i, -1) end
end)
