-- title: thirty captures of a megabyte each, kept
-- expect: any
on("pre_tool_call", function()
  local s, kept = ("x"):rep(2 ^ 20), {}
  for i = 1, 1e5 do kept[i] = { s:match(("("):rep(30) .. ".*" .. (")"):rep(30)) } end
end)
