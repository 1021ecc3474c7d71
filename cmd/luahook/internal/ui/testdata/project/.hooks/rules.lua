-- What an agent has to know of this project.
on("session_start", { name = "house-rules" }, function()
  return context("Money is in cents and of type money.Amount. Tests: go test ./... and pnpm test. The branch main is protected.")
end)

on("pre_prompt", { name = "deploy-notes" }, function(ev)
  if ev.prompt:lower():find("deploy", 1, true) then
    return context("Deployments go through make deploy-staging; see docs/deploy.md.")
  end
end)

-- A reviewer names places, or goes on.
on("subagent_stop", { name = "proof", match = "reviewer" }, function(ev)
  if not (ev.response or ""):find("%.go:%d+") then
    return deny("Name file and line of each finding, or say that there is none.")
  end
end)
