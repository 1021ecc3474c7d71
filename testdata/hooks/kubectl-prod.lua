-- No kubectl against the production cluster, however it is spelled.
on("pre_tool_call", { name = "kubectl-prod", match = "bash", priority = 10 }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    if cmd.name == "kubectl" and cmd:flag("--context") == "prod" then
      return deny("no kubectl against prod; use --context staging")
    end
  end
end)
