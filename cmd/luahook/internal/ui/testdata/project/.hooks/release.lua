-- What leaves this machine needs a person, and production isn't touched from here.
on("pre_tool_call", { name = "release", match = { kind = "shell" }, priority = 10 }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command, { cwd = ev.cwd }).commands) do
    local sub = cmd:subcommand()
    if cmd.name == "kubectl" and cmd:flag("--context") == "prod" then
      return deny("no kubectl against prod; use --context staging")
    elseif (cmd.name == "pnpm" or cmd.name == "npm") and sub == "publish" then
      return ask("publishing a package is for a person to decide")
    elseif cmd.name == "terraform" and sub == "apply" then
      return ask("terraform apply changes what runs; has somebody read the plan?")
    end
  end
end)

-- The way to the European cluster, which nobody has used so far.
on("pre_tool_call", { name = "deploy-eu", match = { command = "/^make deploy-eu\\b/" } }, function()
  return ask("this deploys to eu-central; is it announced?")
end)
