-- title: command substitutions within one another
-- expect: ok or limit or error
on("pre_tool_call", function()
  pcall(shell.parse, ("$("):rep(1e5))
  pcall(shell.parse, ("$("):rep(3000) .. "ls" .. (")"):rep(3000))
  pcall(shell.parse, ("`"):rep(1e5))
  pcall(shell.parse, ("$(("):rep(1e4) .. "1" .. ("))"):rep(1e4))
  return context("held")
end)
