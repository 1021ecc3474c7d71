-- title: denies a forced push, whatever stands around it
-- event: pre_tool_call
-- given: {"tool_call": {"name": "bash", "input": {"command": "cd /srv && sudo -u deploy git -C repo push --force origin main | tee log"}}}
-- want: {"decision": "deny", "block": true, "reason": "no force-push to main; use --force-with-lease on a branch"}
on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    if cmd.name == "git" and cmd:subcommand() == "push" and cmd:flag("-f", "--force") then
      return deny("no force-push to " .. (cmd:operands()[#cmd:operands()] or "?") .. "; use --force-with-lease on a branch")
    end
  end
end)
