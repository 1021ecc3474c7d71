-- title: braces after braces after braces
-- expect: limit or error
on("pre_tool_call", function()
  local n = 0
  while true do
    n = n + 1
    pcall(path.match, ("{a,b}"):rep(190) .. n, ("ab"):rep(90))
    pcall(path.match, ("{"):rep(300) .. ("}"):rep(300) .. n, "x")
    pcall(path.match, ("[a-z]|"):rep(150) .. n, "x")
  end
end)
