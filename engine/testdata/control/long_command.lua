-- title: matches a command of a hundred kilobytes by globs and regular expressions
-- event: pre_tool_call
-- command: 100000
-- want: {"new_context": "a long command"}
on("pre_tool_call", { match = { command = "/(curl|wget)\\s.*\\|\\s*(ba)?sh/" } }, function() return deny("no pipes into a shell") end)
on("pre_tool_call", { match = { command = "*rm -rf*" } }, function() return deny("no rm -rf") end)
on("pre_tool_call", { match = { command = "/^a+$/" } }, function(ev)
  if #ev.tool_call.command > 50000 then return context("a long command") end
end)
