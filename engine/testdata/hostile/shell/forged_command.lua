-- title: a command that says it has a hundred thousand words
-- expect: limit or error
on("pre_tool_call", function()
  local cmd = shell.parse("git push").commands[1]
  local word = cmd.words[1]
  for i = 1, 1e5 do cmd.words[i] = word end
  cmd.name = ("n"):rep(1e6)
  while true do cmd:subcommand(); cmd:operands(); cmd:flag("-x") end
end)
